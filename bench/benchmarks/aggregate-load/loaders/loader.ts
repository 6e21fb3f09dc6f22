import type { Stream } from '../streams.ts';

/** Somebody who makes an account's state of its stream. */
export interface Loader {
  /** Writes a stream's events; called once for each stream, in an empty store. */
  fill(stream: Stream): Promise<void>;
  /** Loads an account; answers its balance in minor units. */
  load(stream: Stream): Promise<bigint>;
  close(): Promise<void>;
}

/** Opens a loader and makes its tables, in a database of its own. */
export type OpenLoader = (databaseUrl: string) => Promise<Loader>;

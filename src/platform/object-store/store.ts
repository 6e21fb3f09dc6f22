import type { Readable } from 'node:stream';

/** What an object is served with. */
export interface ObjectFacts {
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Where objects stand, by keys of ours. */
export interface ObjectStore {
  /** Keeps an object under a key, whole or not at all: where `body` fails, nothing stays. One that is there is replaced. */
  put(key: string, body: AsyncIterable<Uint8Array>, facts: ObjectFacts): Promise<void>;
  /** Rejects, here or while it is read, where there is no such object. */
  get(key: string): Promise<Readable>;
  /** Removes objects and what an interrupted `put` left of them. One that is not there is none that is in the way. */
  remove(keys: readonly string[]): Promise<void>;
}

/** A bucket of Amazon S3, or of what speaks it. */
export interface S3Config {
  readonly bucket: string;
  readonly region: string;
  /** Of an S3-compatible store; undefined: Amazon's own. */
  readonly endpoint?: string;
}

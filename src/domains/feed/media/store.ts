import type { Readable } from 'node:stream';
import type { MediaConfig } from '../../../platform/config.js';
import { createDiskStore } from './disk-store.js';
import { createS3Store } from './s3-store.js';

/** What whoever serves a file tells with it. */
export interface FileFacts {
  readonly contentType: string;
  readonly cacheControl: string;
}

/** Where files stand. Keys are ours (see keys.ts) and unguessable; clients get the CDN's URLs, never the store's. */
export interface MediaStore {
  /** Keeps a file under a key, whole or not at all: where `body` fails, nothing stays. One that is there is replaced. */
  put(key: string, body: AsyncIterable<Uint8Array>, facts: FileFacts): Promise<void>;
  /** Rejects, here or while it is read, where there is no such file. */
  get(key: string): Promise<Readable>;
  /** Removes files and what an interrupted `put` left of them. One that is not there is none that is in the way. */
  remove(keys: readonly string[]): Promise<void>;
}

/** The store that the configuration names: S3 where a bucket is set, else a folder. */
export const openMediaStore = ({ dir, s3 }: MediaConfig): MediaStore =>
  s3 ? createS3Store(s3) : createDiskStore(dir);

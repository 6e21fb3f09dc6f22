import type { Readable } from 'node:stream';
import { z } from 'zod';
import { defined } from '../defined.js';

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

/** Where buckets are. Credentials come as the AWS SDK finds them. */
export const objectStoreVariables = {
  MEDIA_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  MEDIA_S3_REGION: z.string().min(1).default('us-east-1'),
};
export type ObjectStoreVariables = z.infer<z.ZodObject<typeof objectStoreVariables>>;

export const bucketOf = (bucket: string, e: ObjectStoreVariables): S3Config => ({
  bucket,
  region: e.MEDIA_S3_REGION,
  ...defined({ endpoint: e.MEDIA_S3_ENDPOINT }),
});

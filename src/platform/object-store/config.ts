import { z } from 'zod';
import { defined } from '../defined.js';
import type { S3Config } from './store.js';

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

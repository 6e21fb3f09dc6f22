import { z } from 'zod';
import type { S3Config } from '../../../platform/object-store/store.js';

const bytes = z.coerce.number().int().min(1);

/** The variables of uploaded images and videos. */
export const mediaVariables = {
  MEDIA_DIR: z.string().min(1).default('.tidings/media'),
  MEDIA_MAX_IMAGE_BYTES: bytes.default(20 * 1024 * 1024),
  MEDIA_MAX_VIDEO_BYTES: bytes.default(500 * 1024 * 1024),
  MEDIA_S3_BUCKET: z.string().min(1).optional(),
  MEDIA_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  MEDIA_S3_REGION: z.string().min(1).default('us-east-1'),
};

export interface MediaConfig {
  /** The folder of the disk store; the apis and workers of one installation share it. */
  readonly dir: string;
  /** Where it is set, files go there and not to `dir`. Credentials come as the AWS SDK finds them. */
  readonly s3?: S3Config;
  readonly maxBytes: { readonly image: number; readonly video: number };
}

export function readMedia(e: z.infer<z.ZodObject<typeof mediaVariables>>): MediaConfig {
  const { MEDIA_S3_BUCKET: bucket, MEDIA_S3_ENDPOINT: endpoint, MEDIA_S3_REGION: region } = e;
  return {
    dir: e.MEDIA_DIR,
    ...(bucket !== undefined && { s3: { bucket, region, ...(endpoint !== undefined && { endpoint }) } }),
    maxBytes: { image: e.MEDIA_MAX_IMAGE_BYTES, video: e.MEDIA_MAX_VIDEO_BYTES },
  };
}

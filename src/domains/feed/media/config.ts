import { z } from 'zod';
import type { S3Config } from '../../../platform/object-store/store.js';
import { bucketOf, type ObjectStoreVariables } from '../../../platform/object-store/store.js';

const atLeastOne = z.coerce.number().int().min(1);

/** The variables of uploaded images and videos. */
export const mediaVariables = {
  MEDIA_DIR: z.string().min(1).default('.tidings/media'),
  MEDIA_MAX_IMAGE_BYTES: atLeastOne.default(20 * 1024 * 1024),
  MEDIA_MAX_VIDEO_BYTES: atLeastOne.default(500 * 1024 * 1024),
  MEDIA_MAX_VIDEO_SECONDS: atLeastOne.max(86_400).default(600),
  MEDIA_S3_BUCKET: z.string().min(1).optional(),
};

export interface MediaConfig {
  /** The folder of the disk store; the apis and workers of one installation share it. */
  readonly dir: string;
  /** Where it is set, files go there and not to `dir`. Credentials come as the AWS SDK finds them. */
  readonly s3?: S3Config;
  readonly maxBytes: { readonly image: number; readonly video: number };
  /** A longer video is refused before anything is made of it. */
  readonly maxVideoSeconds: number;
}

export function readMedia(
  e: z.infer<z.ZodObject<typeof mediaVariables>> & ObjectStoreVariables,
): MediaConfig {
  return {
    dir: e.MEDIA_DIR,
    ...(e.MEDIA_S3_BUCKET !== undefined && { s3: bucketOf(e.MEDIA_S3_BUCKET, e) }),
    maxBytes: { image: e.MEDIA_MAX_IMAGE_BYTES, video: e.MEDIA_MAX_VIDEO_BYTES },
    maxVideoSeconds: e.MEDIA_MAX_VIDEO_SECONDS,
  };
}

import { z } from 'zod';
import type { PresentVariables } from './config.js';
import type { ArchiveTarget } from './event-log/archive/store.js';
import { bucketOf, type ObjectStoreVariables } from './object-store/store.js';

/** The variables of the log's archive. Its S3 is the one of uploaded files, in a bucket of its own. */
export const eventArchiveVariables = {
  EVENT_ARCHIVE_DIR: z.string().min(1).optional(),
  EVENT_ARCHIVE_S3_BUCKET: z.string().min(1).optional(),
  EVENT_ARCHIVE_AFTER_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
};

export interface EventArchiveConfig {
  /** Where what is archived is read, and written. */
  readonly target: ArchiveTarget;
  /** Partitions of the log go there once all of their events are so old; undefined: none does. */
  readonly afterDays?: number;
}

/** @returns undefined where there is no archive */
export function readEventArchive(
  e: z.infer<z.ZodObject<typeof eventArchiveVariables>> & ObjectStoreVariables,
): EventArchiveConfig | undefined {
  const { EVENT_ARCHIVE_DIR: dir, EVENT_ARCHIVE_S3_BUCKET: bucket, EVENT_ARCHIVE_AFTER_DAYS: afterDays } = e;
  if (bucket === undefined && dir === undefined) return undefined;
  const target: ArchiveTarget = bucket === undefined ? { dir: dir! } : { s3: bucketOf(bucket, e) };
  return { target, ...(afterDays !== undefined && { afterDays }) };
}

export function eventArchiveFaults(present: PresentVariables): string[] {
  const { EVENT_ARCHIVE_DIR: dir, EVENT_ARCHIVE_S3_BUCKET: bucket, MEDIA_S3_BUCKET, MEDIA_DIR } = present;
  const faults: string[] = [];
  if (present.EVENT_ARCHIVE_AFTER_DAYS && !dir && !bucket)
    faults.push(
      'EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is missing: where EVENT_ARCHIVE_AFTER_DAYS archives to',
    );
  if (dir && bucket)
    faults.push('EVENT_ARCHIVE_S3_BUCKET and EVENT_ARCHIVE_DIR are both set: there is one archive');
  if (bucket && bucket === MEDIA_S3_BUCKET)
    faults.push('EVENT_ARCHIVE_S3_BUCKET is MEDIA_S3_BUCKET, which a CDN serves: events are for nobody');
  if (dir && dir === MEDIA_DIR)
    faults.push('EVENT_ARCHIVE_DIR is MEDIA_DIR, which is served: events are for nobody');
  return faults;
}

import { createDiskStore } from '../../object-store/disk-store.js';
import { createS3Store } from '../../object-store/s3-store.js';
import type { ObjectStore, S3Config } from '../../object-store/store.js';

const KEY = /^events\/\d+-\d+\/(manifest\.json|(position|stream)-\d{6}-[0-9a-f]{16}\.ndjson\.gz)$/;

/** Where the archive is. */
export type ArchiveTarget = { readonly dir: string } | { readonly s3: S3Config };

export const openArchiveStore = (target: ArchiveTarget): ObjectStore =>
  's3' in target ? createS3Store(target.s3) : createDiskStore(target.dir, { isKey: (key) => KEY.test(key) });

/** @param part without its ending */
export const keyOf = (
  { from, until }: { readonly from: number; readonly until: number },
  part: string,
): string => `events/${from}-${until - 1}/${part}`;

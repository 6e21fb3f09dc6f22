import { createDiskStore as createFolder } from '../../../platform/object-store/disk-store.js';
import { createS3Store } from '../../../platform/object-store/s3-store.js';
import type { ObjectStore } from '../../../platform/object-store/store.js';
import type { MediaConfig } from './config.js';
import { INCOMING, isKey } from './keys.js';

/** Where files are. Keys are ours (see keys.ts) and unguessable; clients get the CDN's URLs, never the store's. */
export type MediaStore = ObjectStore;

/** Files in a folder that every process of the installation sees. */
export const createDiskStore = (dir: string): MediaStore => createFolder(dir, { isKey, keeps: [INCOMING] });

/** The store that the configuration names: S3 where a bucket is set, else a folder. */
export const openMediaStore = ({ dir, s3 }: MediaConfig): MediaStore =>
  s3 ? createS3Store(s3) : createDiskStore(dir);

import type { Registry } from 'prom-client';
import { bind, type DependenciesOf } from '../../../platform/bind.js';
import type { MediaConfig } from './config.js';
import { findPostsHolding, findVisibleMedia } from './media.js';
import { createMediaMetrics, findStalledMedia, processMedia } from './process.js';
import { removeMedia, sweepUnusedMedia } from './remove.js';
import { type MediaStore, openMediaStore } from './store.js';
import { uploadMedia } from './upload.js';

export type MediaUploads = ReturnType<typeof createMediaUploads>;

const functions = {
  upload: uploadMedia,
  findVisible: findVisibleMedia,
  postsHolding: findPostsHolding,
  process: processMedia,
  findStalled: findStalledMedia,
  remove: removeMedia,
  sweepUnused: sweepUnusedMedia,
};

/**
 * Uploaded images and videos.
 *
 * @param own.store instead of the one that the configuration names
 */
export const createMediaUploads = ({
  config,
  store = openMediaStore(config),
  metrics,
  ...own
}: Omit<DependenciesOf<typeof functions>, 'store' | 'maxBytes' | 'metrics'> & {
  readonly metrics: Registry;
  readonly config: MediaConfig;
  readonly store?: MediaStore;
}) => bind({ ...own, store, maxBytes: config.maxBytes, metrics: createMediaMetrics(metrics) }, functions);

import type { Registry } from 'prom-client';
import { bind, type DependenciesOf } from '../../../platform/bind.js';
import type { MediaConfig } from './config.js';
import { findPostsHolding, findVisibleMedia } from './media.js';
import { createMediaMetrics, processMedia } from './process.js';
import { removeMedia, sweepUnusedMedia } from './remove.js';
import { type MediaStore, openMediaStore } from './store.js';
import { findStalledTurns, takeTurn, turnOf } from './turns.js';
import { uploadMedia } from './upload.js';

export type MediaUploads = ReturnType<typeof createMediaUploads>;

const functions = {
  upload: uploadMedia,
  findVisible: findVisibleMedia,
  postsHolding: findPostsHolding,
  process: processMedia,
  takeTurn,
  turnOf,
  findStalled: findStalledTurns,
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
}: Omit<DependenciesOf<typeof functions>, 'store' | 'metrics' | 'maxBytes' | 'maxVideoSeconds'> & {
  readonly metrics: Registry;
  readonly config: MediaConfig;
  readonly store?: MediaStore;
}) => {
  const { maxBytes, maxVideoSeconds } = config;
  return bind({ ...own, store, maxBytes, maxVideoSeconds, metrics: createMediaMetrics(metrics) }, functions);
};

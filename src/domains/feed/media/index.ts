import type { Registry } from 'prom-client';
import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logger.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { MediaConfig } from './config.js';
import { findPostsHolding, findVisibleMedia } from './find.js';
import { createMediaMetrics } from './media-metrics.js';
import { findStalledMedia, processMedia } from './process.js';
import { removeMedia, sweepUnusedMedia } from './remove.js';
import { type MediaStore, openMediaStore } from './store.js';
import { uploadMedia } from './upload.js';

/** Uploaded images and videos. */
export type MediaUploads = ReturnType<typeof createMediaUploads>;

/** @param own.store instead of the one that the configuration names */
export const createMediaUploads = (own: {
  postgres: Postgres;
  log: EventLog;
  queues: Pick<Queues, 'enqueueMany'>;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics: Registry;
  config: MediaConfig;
  cdnUrl: string;
  store?: MediaStore;
}) =>
  bind(
    {
      ...own,
      store: own.store ?? openMediaStore(own.config),
      maxBytes: own.config.maxBytes,
      metrics: createMediaMetrics(own.metrics),
    },
    {
      upload: uploadMedia,
      findVisible: findVisibleMedia,
      postsHolding: findPostsHolding,
      process: processMedia,
      findStalled: findStalledMedia,
      remove: removeMedia,
      sweepUnused: sweepUnusedMedia,
    },
  );

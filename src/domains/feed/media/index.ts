import type { Registry } from 'prom-client';
import type { Viewer } from '../../../platform/auth.js';
import type { Caller } from '../../../platform/caller.js';
import type { Clock } from '../../../platform/clock.js';
import type { MediaConfig } from '../../../platform/config.js';
import type { Result } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logger.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { JobRun, Queues } from '../../../platform/queues.js';
import type { Media } from '../types.js';
import { findPostsHolding, findVisibleMedia } from './find.js';
import { createMediaMetrics } from './media-metrics.js';
import { findStandingMedia, processMedia } from './process.js';
import { removeMedia, sweepUnusedMedia } from './remove.js';
import { type MediaStore, openMediaStore } from './store.js';
import { uploadMedia } from './upload.js';

/** Uploaded images and videos. Each operation's promise stands at its own function. */
export interface MediaRoom {
  upload(caller: Caller, body: AsyncIterable<Uint8Array>): Promise<Result<Media>>;
  findVisible(viewer: Viewer | null, mediaIds: readonly string[]): Promise<Map<string, Media>>;
  postsHolding(mediaIds: readonly string[]): Promise<string[]>;
  process(mediaId: string, job: JobRun): Promise<void>;
  findStanding(): Promise<string[]>;
  remove(mediaIds: readonly string[]): Promise<number>;
  sweepUnused(): Promise<number>;
}

/** @param own.store instead of the one that the configuration names */
export function createMediaRoom(own: {
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
}): MediaRoom {
  const deps = {
    ...own,
    store: own.store ?? openMediaStore(own.config),
    maxBytes: own.config.maxBytes,
    metrics: createMediaMetrics(own.metrics),
  };
  return {
    upload: (caller, body) => uploadMedia(deps, caller, body),
    findVisible: (viewer, mediaIds) => findVisibleMedia(deps, viewer, mediaIds),
    postsHolding: (mediaIds) => findPostsHolding(deps.postgres, mediaIds),
    process: (mediaId, job) => processMedia(deps, mediaId, job),
    findStanding: () => findStandingMedia(deps),
    remove: (mediaIds) => removeMedia(deps, mediaIds),
    sweepUnused: () => sweepUnusedMedia(deps),
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../context.js';
import { enqueueFanOuts, type Feed, fanOutOutbox, fanOutTask } from '../domains/feed/index.js';
import type { CacheLease } from '../platform/cache/cache-lease.js';
import { sweepOutbox } from '../platform/outbox/index.js';
import { defineJob, type Job, type QueueJob } from '../platform/queues/jobs.js';
import type { Queues } from '../platform/queues/queues.js';
import type { ScheduledTask } from '../platform/queues/schedules.js';
import { engagementJobs } from './feed-engagement.js';
import { linkJobs } from './feed-links.js';
import { mediaJobs } from './feed-media.js';

const FAN_OUTS_AT_ONCE = 8;

/** A worker has no lease in its first second, nor for a moment after Redis was away. */
const LEASE_WAIT_MS = 3_000;
const LEASE_LOOK_MS = 25;
const SETTLE_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 60_000;
const LEARN_EVERY_MS = 10 * 60_000;

interface FanOutDeps {
  readonly feed: Feed;
  readonly queues: Queues;
  readonly cacheLease: Pick<CacheLease, 'isHeld'>;
}

export const fanOutJob = (deps: FanOutDeps): QueueJob =>
  defineJob({
    task: fanOutTask,
    concurrency: FAN_OUTS_AT_ONCE,
    async run({ authorId }, { correlationId, logger, signal }) {
      await untilHeld(deps.cacheLease, signal);
      const { more } = await deps.feed.runFanOuts(authorId, logger);
      if (more) await enqueueFanOuts(deps.queues, [{ authorId, correlationId }]);
    },
  });

/** Without a lease feeds cannot be written. Resolves when there is one; after 3 s, or when the process drains, without. */
async function untilHeld(lease: Pick<CacheLease, 'isHeld'>, signal: AbortSignal): Promise<void> {
  const until = performance.now() + LEASE_WAIT_MS;
  while (!lease.isHeld() && !signal.aborted && performance.now() < until) await pause(LEASE_LOOK_MS);
}

export const feedJobs = (app: App): readonly Job[] => [
  fanOutJob(app),
  sweepOutbox(app.outbox, fanOutOutbox),
  ...rankingJobs(app),
  ...mediaJobs(app),
  ...linkJobs(app),
  ...engagementJobs(app),
  {
    // Removes posts a day after they were deleted.
    name: 'purge-posts',
    everyMs: PURGE_EVERY_MS,
    async run(job) {
      const removed = await app.feed.purgePosts((mediaIds) => app.feed.media.remove(mediaIds));
      if (removed > 0) job.logger.info({ count: removed }, 'deleted posts were removed');
    },
  },
  {
    // Finished fan-outs are not read any more.
    name: 'forget-fan-outs',
    everyMs: FORGET_EVERY_MS,
    async run() {
      await app.feed.forgetFanOuts();
    },
  },
  {
    // Gives and removes the status of a celebrity.
    name: 'settle-celebrities',
    everyMs: SETTLE_EVERY_MS,
    async run(job) {
      const changed = await app.feed.settleCelebrities();
      if (changed.length > 0) job.logger.info({ changed }, 'the celebrity status of authors changed');
    },
  },
];

const rankingJobs = ({ feed }: App): readonly ScheduledTask[] => [
  {
    name: 'learn-ranking',
    everyMs: LEARN_EVERY_MS,
    async run(job) {
      const samples = await feed.ranking.learn();
      job.logger.info({ samples }, 'ranking learned from what readers did');
    },
  },
  // Signals that are too old to learn from.
  { name: 'forget-signals', everyMs: FORGET_EVERY_MS, run: () => feed.ranking.forgetSignals() },
  {
    // Of readers who have not interacted with an author for so long that it does not count any more.
    name: 'forget-affinities',
    everyMs: FORGET_EVERY_MS,
    async run() {
      await feed.ranking.forgetAffinities();
    },
  },
];

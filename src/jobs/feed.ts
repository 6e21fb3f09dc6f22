import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../context.js';
import { enqueueFanOuts, type Feed, fanOutOutbox, fanOutTask } from '../domains/feed/index.js';
import type { CacheLease } from '../platform/cache-lease.js';
import { defineJob, type Job, type QueueJob } from '../platform/jobs.js';
import { sweepOutbox } from '../platform/outbox/index.js';
import type { Queues } from '../platform/queues.js';
import { engagementJobs } from './feed-engagement.js';
import { linkJobs } from './feed-links.js';
import { mediaJobs } from './feed-media.js';
import { postJobs } from './feed-posts.js';
import { rankingJobs } from './feed-ranking.js';

const FAN_OUTS_AT_ONCE = 8;

/** A worker has no lease in its first second, nor for a moment after Redis was away. */
const LEASE_WAIT_MS = 3_000;
const LEASE_LOOK_MS = 25;
const SETTLE_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60_000;

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
  ...postJobs(app),
  ...rankingJobs(app),
  ...mediaJobs(app),
  ...linkJobs(app),
  ...engagementJobs(app),
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

import { setTimeout as pause } from 'node:timers/promises';
import { enqueueFanOuts, type Feed, fanOutOutbox, fanOutTask } from '../domains/feed/index.js';
import type { CacheLease } from '../platform/cache-lease.js';
import { type Outbox, sweepOutbox } from '../platform/outbox/index.js';
import { implementTask, type Queues, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';
import { postSchedules } from './feed-posts.js';
import { rankingSchedules } from './feed-ranking.js';

/** A worker has no lease in its first second, nor for a moment after Redis was away. */
const LEASE_WAIT_MS = 3_000;
const LEASE_LOOK_MS = 25;
const SETTLE_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60_000;

export function feedTaskHandlers(deps: {
  readonly feed: Feed;
  readonly queues: Queues;
  readonly cacheLease: Pick<CacheLease, 'isHeld'>;
}): TaskHandler<unknown>[] {
  return [
    implementTask(fanOutTask, async ({ authorId }, { correlationId, logger, signal }) => {
      await untilHeld(deps.cacheLease, signal);
      const { more } = await deps.feed.runFanOuts(authorId, logger);
      if (more) await enqueueFanOuts(deps.queues, [{ authorId, correlationId }]);
    }),
  ];
}

/** Without a lease feeds cannot be written. Resolves when there is one; after 3 s, or when the process drains, without. */
async function untilHeld(lease: Pick<CacheLease, 'isHeld'>, signal: AbortSignal): Promise<void> {
  const until = performance.now() + LEASE_WAIT_MS;
  while (!lease.isHeld() && !signal.aborted && performance.now() < until) await pause(LEASE_LOOK_MS);
}

export const feedSchedules = (deps: {
  readonly feed: Feed;
  readonly outbox: Outbox;
}): readonly ScheduledTask[] => [
  ...postSchedules(deps),
  ...rankingSchedules(deps),
  sweepOutbox(deps.outbox, fanOutOutbox),
  {
    // Finished fan-outs are not read any more.
    name: 'forget-fan-outs',
    everyMs: FORGET_EVERY_MS,
    async run() {
      await deps.feed.forgetFanOuts();
    },
  },
  {
    // Gives and removes the status of a celebrity.
    name: 'settle-celebrities',
    everyMs: SETTLE_EVERY_MS,
    async run(job) {
      const changed = await deps.feed.settleCelebrities();
      if (changed.length > 0) job.logger.info({ changed }, 'the celebrity status of authors changed');
    },
  },
];

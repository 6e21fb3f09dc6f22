import { Counter, Gauge, type Registry } from 'prom-client';
import { type Feed, noticeOutbox, type SendFeedMessage, sendNoticesTask } from '../domains/feed/index.js';
import { SWEEP_EVERY_MS, sweepOf } from '../platform/outbox/index.js';
import { implementTask, type JobRun, type TaskHandler } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';

/** Feed document, Limits. */
const WRITE_BACK_EVERY_MS = 30_000;

interface Deps {
  readonly feed: Pick<Feed, 'engagement'>;
  readonly sendFeedMessage: SendFeedMessage;
  readonly metrics: Registry;
}

/** A failed job is not run again: the notices are in Postgres, and the schedule sends them. */
export const engagementTaskHandlers = (deps: Deps): readonly TaskHandler<unknown>[] => [
  implementTask(sendNoticesTask, (_, job) => sendNotices(deps, job)),
];

export function engagementSchedules(deps: Deps): readonly ScheduledTask[] {
  const { engagement } = deps.feed;
  const registers = [deps.metrics];
  const writtenBack = new Counter({
    name: 'feed_counts_written_back_total',
    help: 'Counted reactions, comments and shares that were added to their posts',
    registers,
  });
  const waiting = new Gauge({
    name: 'feed_counts_waiting',
    help: 'Counted reactions, comments and shares that were left after the last write-back, up to 100,000',
    registers,
  });
  return [
    {
      name: 'write-back-counts',
      everyMs: WRITE_BACK_EVERY_MS,
      async run({ signal }) {
        writtenBack.inc(await engagement.writeBackCounts(signal));
        waiting.set(await engagement.countWaitingDeltas());
      },
    },
    // For what a lost job, a killed worker or an outage of notifications left: it needs no Redis.
    { name: sweepOf(noticeOutbox), everyMs: SWEEP_EVERY_MS, run: (job) => sendNotices(deps, job) },
  ];
}

async function sendNotices({ feed, sendFeedMessage }: Deps, { logger, signal }: JobRun): Promise<void> {
  await feed.engagement.sendNotices(sendFeedMessage, logger, signal);
}

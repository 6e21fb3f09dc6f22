import { Counter, Gauge, type Registry } from 'prom-client';
import { type Feed, noticeOutbox, type SendFeedMessage, sendNoticesTask } from '../domains/feed/index.js';
import { defineJob, type Job } from '../platform/jobs.js';
import { SWEEP_EVERY_MS, sweepOf } from '../platform/outbox/index.js';
import type { JobRun } from '../platform/queues.js';

/** Feed document, Limits. */
const WRITE_BACK_EVERY_MS = 30_000;

interface Deps {
  readonly feed: Pick<Feed, 'engagement'>;
  readonly sendFeedMessage: SendFeedMessage;
  readonly metrics: Registry;
}

export function engagementJobs(deps: Deps): readonly Job[] {
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
    // One that fails is not run again: the notices are in Postgres, and the schedule sends them.
    defineJob({ task: sendNoticesTask, concurrency: 1, run: (_, job) => sendNotices(deps, job) }),
    // For what a lost job, a killed worker or an outage of notifications left: it needs no Redis.
    { name: sweepOf(noticeOutbox), everyMs: SWEEP_EVERY_MS, run: (job) => sendNotices(deps, job) },
  ];
}

async function sendNotices({ feed, sendFeedMessage }: Deps, { logger, signal }: JobRun): Promise<void> {
  await feed.engagement.sendNotices(sendFeedMessage, logger, signal);
}

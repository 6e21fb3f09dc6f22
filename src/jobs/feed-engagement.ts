import { Counter, Gauge } from 'prom-client';
import type { App } from '../context.js';
import { noticeOutbox, sendNoticesTask } from '../domains/feed/index.js';
import { SWEEP_EVERY_MS, sweepOf } from '../platform/outbox/index.js';
import type { JobRun } from '../platform/queues/job-runner.js';
import { defineJob, type Job } from '../platform/queues/jobs.js';

/** Feed document, Limits. */
const WRITE_BACK_EVERY_MS = 30_000;

export function engagementJobs(app: App): readonly Job[] {
  const { engagement } = app.feed;
  const registers = [app.metrics];
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
    defineJob({ task: sendNoticesTask, concurrency: 1, run: (_, job) => sendNotices(app, job) }),
    // For what a lost job, a killed worker or an outage of notifications left: it needs no Redis.
    { name: sweepOf(noticeOutbox), everyMs: SWEEP_EVERY_MS, run: (job) => sendNotices(app, job) },
  ];
}

async function sendNotices({ feed, feedMessages }: App, { logger, signal }: JobRun): Promise<void> {
  await feed.engagement.sendNotices(feedMessages, logger, signal);
}

import {
  channelQueues,
  channels,
  type DeadLetter,
  type DeliveryWorker,
  deadLetter,
  type Notifications,
  type Priority,
  releaseDue,
  retryDelivery,
  rulesOfChannel,
  usersOfWakeUp,
  wakeMailbox,
  watchDeadLetters,
} from '../domains/notifications/index.js';
import { type Forget, forgetInBatches } from '../platform/forget.js';
import type { JobRun } from '../platform/queues/job-runner.js';
import { defineJob, type Job, type QueueJob } from '../platform/queues/jobs.js';

/** The notification document's shares of a channel's workers. */
const SHARES: Readonly<Record<Priority, number>> = { high: 0.4, medium: 0.4, low: 0.2 };
const RELEASE_EVERY_MS = 500;
const EXPAND_EVERY_MS = 500;
/** A run of it ends after ten minutes by itself. */
const EXPAND_LONGEST_MS = 15 * 60_000;
const DIGESTS_EVERY_MS = 1_000;
const RECURRING_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 5_000;
const INDEX_EVERY_MS = 1_000;
/** As long as a former version's deliveries are indexed it goes on; it stops between two batches. */
const INDEX_LONGEST_MS = 15 * 60_000;
const FORGET_EVERY_MS = 60_000;
const STRIP_EVERY_MS = 5_000;
const WATCH_EVERY_MS = 10_000;
const COUNT_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 10_000;
/** Rows that one statement deletes, and statements a table and run: 4,000 rows a second are kept up with. */
const FORGET_BATCH = 4_000;
const FORGET_BATCHES = 60;

/** The channels' mailboxes: each channel has slots of its own, which its priorities share. */
const mailboxJobs = (worker: DeliveryWorker): readonly QueueJob[] =>
  channels.flatMap((channel) => {
    const pool = { slots: rulesOfChannel(channel).slots, pauseMs: () => worker.pauseMs(channel) };
    const queues = channelQueues.filter((queue) => queue.channel === channel);
    return queues.map((queue) =>
      defineJob({
        task: wakeMailbox.get(queue.name)!,
        concurrency: { pool, share: SHARES[queue.priority] },
        parts: usersOfWakeUp,
        run: ({ userId }, job) => worker.drain({ queue, userId }, job),
      }),
    );
  });

const otherQueues = (worker: DeliveryWorker): readonly QueueJob[] => [
  ...channels.map((channel) =>
    defineJob({
      task: retryDelivery[channel],
      concurrency: 8,
      run: ({ deliveryId }, job) => worker.requeue(deliveryId, job.correlationId),
    }),
  ),
  defineJob({
    task: deadLetter,
    concurrency: 4,
    run: (letter, job) => handleDeadLetter(worker, letter, job),
  }),
  defineJob({ task: releaseDue, concurrency: 2, run: (_, job) => releaseAll(worker, job) }),
  defineJob({ task: watchDeadLetters, concurrency: 1, run: () => worker.alerts.lookAtDeadLetters() }),
];

/** The audit row was written when the delivery died, and its fallback made; this warns the operators. */
async function handleDeadLetter(
  worker: DeliveryWorker,
  letter: DeadLetter,
  { logger, correlationId }: JobRun,
): Promise<void> {
  const { notification_id, user_id, channel, final_error, total_attempts } = letter;
  logger.warn({ notification_id, user_id, channel, final_error, total_attempts }, 'a delivery was given up');
  await worker.alerts.askAboutDeadLetters(correlationId);
}

async function releaseAll(worker: DeliveryWorker, { signal, logger }: JobRun): Promise<void> {
  let released = 0;
  for (let isLast = false; !isLast && !signal.aborted; ) {
    const batch = await worker.release();
    released += batch.taken;
    isLast = batch.isLast;
  }
  if (released > 0) logger.debug({ released }, 'released what was due');
}

async function sendDigests(worker: DeliveryWorker, run: JobRun): Promise<void> {
  let sent = 0;
  for (let isLast = false; !isLast && !run.signal.aborted; ) {
    const step = await worker.sendDigests(run.correlationId);
    sent += step.taken;
    isLast = step.isLast;
  }
  if (sent > 0) run.logger.debug({ sent }, 'sent digests that were due');
}

export const notificationJobs = ({
  worker,
  alsoForget = [],
}: {
  readonly worker: DeliveryWorker;
  /** Other tables that maintenance keeps short. */
  readonly alsoForget?: readonly Forget[];
}): readonly Job[] => [
  ...mailboxJobs(worker),
  ...otherQueues(worker),
  { name: releaseDue.name, everyMs: RELEASE_EVERY_MS, run: (job) => releaseAll(worker, job) },
  { name: 'notifications.digests', everyMs: DIGESTS_EVERY_MS, run: (job) => sendDigests(worker, job) },
  {
    // Stores what campaigns are to send, at their pace, and withdraws what cancelled ones have queued.
    name: 'notifications.expand-campaigns',
    everyMs: EXPAND_EVERY_MS,
    longestMs: EXPAND_LONGEST_MS,
    run: ({ signal }) => worker.expandCampaigns(signal),
  },
  {
    // Sends what recurs.
    name: 'notifications.recurring',
    everyMs: RECURRING_EVERY_MS,
    async run({ signal }) {
      while (!signal.aborted && !(await worker.sendRecurring()).isLast);
    },
  },
  {
    // Looks for mailboxes whose jobs were lost.
    name: 'notifications.sweep',
    everyMs: SWEEP_EVERY_MS,
    async run(job) {
      const enqueued = await worker.sweep(job.correlationId);
      if (enqueued > 0) job.logger.debug({ enqueued }, 'enqueued mailboxes that waited');
    },
  },
  {
    // Makes what was accepted lately be found by the search.
    name: 'notifications.index-deliveries',
    everyMs: INDEX_EVERY_MS,
    longestMs: INDEX_LONGEST_MS,
    async run({ signal, logger }) {
      const indexed = await worker.indexDeliveries(signal);
      if (indexed > 0) logger.debug({ indexed }, 'indexed deliveries for the search');
    },
  },
  {
    // Deletes what is too old to be asked for. A table where that fails does not keep the others from it.
    name: 'notifications.forget',
    everyMs: FORGET_EVERY_MS,
    async run({ signal }) {
      const failures: unknown[] = [];
      for (const forget of [...worker.forgets, ...alsoForget])
        await forgetInBatches(forget, { batch: FORGET_BATCH, batches: FORGET_BATCHES, signal }).catch(
          (error) => failures.push(error),
        );
      if (failures.length > 0) throw failures[0];
    },
  },
  { name: 'notifications.alerts', everyMs: WATCH_EVERY_MS, run: () => worker.alerts.look() },
  {
    // Counts what the lifecycle stream has published.
    name: 'notifications.count-steps',
    everyMs: COUNT_EVERY_MS,
    run: (job) => worker.analytics.consume(job.signal),
  },
  {
    // Counts minutes that are over from delivery_events.
    name: 'notifications.reconcile-counts',
    everyMs: RECONCILE_EVERY_MS,
    run: (job) => worker.analytics.reconcile(job.signal),
  },
];

export const segmentJobs = (segments: Pick<Notifications['segments'], 'stripDeleted'>): readonly Job[] => [
  {
    // Removes the values of attributes that admins deleted.
    name: 'notifications.strip-attributes',
    everyMs: STRIP_EVERY_MS,
    run: ({ signal }) => segments.stripDeleted(signal),
  },
];

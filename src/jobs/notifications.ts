import {
  type ChannelQueue,
  channelQueues,
  channels,
  type DeadLetter,
  type DeliveryWorker,
  deadLetter,
  type Priority,
  releaseDue,
  retryDelivery,
  rulesOfChannel,
  wakeMailbox,
  watchDeadLetters,
} from '../domains/notifications/index.js';
import { type Forget, forgetInBatches } from '../platform/forget.js';
import type { Logger } from '../platform/logger.js';
import { implementTask, type JobRun, type TaskHandler, workQueue } from '../platform/queues.js';
import type { ScheduledTask } from '../platform/schedules.js';
import type { RedisAddress } from '../platform/server-watch.js';
import { type SharedQueue, workSharedQueues } from '../platform/shared-queues.js';

/** The notification document's shares of a channel's workers. */
const SHARES: Readonly<Record<Priority, number>> = { high: 0.4, medium: 0.4, low: 0.2 };
/** A killed worker's users wait no longer for another to notice. */
const LOCK_MS = 5_000;
const RELEASE_EVERY_MS = 500;
const SWEEP_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60_000;
const WATCH_EVERY_MS = 10_000;
const COUNT_EVERY_MS = 1_000;
const RECONCILE_EVERY_MS = 10_000;
/** Rows that one statement deletes, and statements a table and run: 4,000 rows a second are kept up with. */
const FORGET_BATCH = 4_000;
const FORGET_BATCHES = 60;

export interface WorkNotifications {
  readonly worker: DeliveryWorker;
  readonly logger: Logger;
}

/**
 * Works every queue of notifications: each channel has slots of its own, which its priorities share.
 *
 * @returns takes no more jobs and waits for those that run
 */
export function workNotifications(
  address: RedisAddress,
  work: WorkNotifications,
): { close(): Promise<void> } {
  const { worker, logger } = work;
  const workers = [
    ...channels.map((channel) =>
      workSharedQueues(
        address,
        channelQueues.filter((queue) => queue.channel === channel).map((queue) => wakeUpQueue(worker, queue)),
        {
          slots: rulesOfChannel(channel).slots,
          lockDurationMs: LOCK_MS,
          pauseMs: () => worker.pauseMs(channel),
        },
        logger,
      ),
    ),
    ...otherQueues(worker).map(({ queue, handlers, concurrency }) =>
      workQueue(address, queue, handlers, { concurrency, lockDurationMs: LOCK_MS }, logger),
    ),
  ];
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

function wakeUpQueue(worker: DeliveryWorker, queue: ChannelQueue): SharedQueue {
  const drain = implementTask(wakeMailbox.get(queue.name)!, ({ userId, afterLease }, job) =>
    worker.drain({ queue, userId }, { ...job, runsAgain: !afterLease }),
  );
  return { queue: queue.name, handlers: [drain], share: SHARES[queue.priority] };
}

interface OtherQueue {
  readonly queue: string;
  readonly handlers: readonly TaskHandler<unknown>[];
  /** Jobs at once in one process. */
  readonly concurrency: number;
}

function otherQueues(worker: DeliveryWorker): readonly OtherQueue[] {
  const retries = channels.map((channel) => ({
    queue: retryDelivery[channel].queue,
    handlers: [
      implementTask(retryDelivery[channel], ({ deliveryId }, job) =>
        worker.requeue(deliveryId, job.correlationId),
      ),
    ],
    concurrency: 8,
  }));
  return [
    ...retries,
    {
      queue: deadLetter.queue,
      handlers: [implementTask(deadLetter, (letter, job) => handleDeadLetter(worker, letter, job))],
      concurrency: 4,
    },
    {
      queue: releaseDue.queue,
      handlers: [implementTask(releaseDue, (_, job) => releaseAll(worker, job))],
      concurrency: 2,
    },
    {
      queue: watchDeadLetters.queue,
      handlers: [implementTask(watchDeadLetters, () => worker.alerts.lookAtDeadLetters())],
      concurrency: 1,
    },
  ];
}

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

/** What is done again and again. */
export const notificationSchedules = ({
  worker,
  alsoForget = [],
}: {
  readonly worker: DeliveryWorker;
  /** Other tables that maintenance keeps short. */
  readonly alsoForget?: readonly Forget[];
}): readonly ScheduledTask[] => [
  { name: releaseDue.name, everyMs: RELEASE_EVERY_MS, run: (job) => releaseAll(worker, job) },
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

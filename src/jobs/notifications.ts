import {
  channelQueues,
  channels,
  type DeadLetter,
  type DeliveryRoom,
  deadLetter,
  forgetExpired,
  type Notifications,
  type Priority,
  type Providers,
  retryDelivery,
  ringMailbox,
  sweepMailboxes,
} from '../domains/notifications/index.js';
import type { Clock } from '../platform/clock.js';
import { forgetCommands } from '../platform/event-log/forget-commands.js';
import type { Queryable } from '../platform/postgres.js';
import { implementTask, type JobRun, type Queues, type TaskHandler } from '../platform/queues.js';

/** One queue to work, with the code of its tasks. */
export interface NotificationQueue {
  readonly queue: string;
  readonly handlers: readonly TaskHandler<unknown>[];
  /** Jobs at once in one process. */
  readonly concurrency: number;
}

/** Users at once for each queue: the notification document's shares, 40 : 40 : 20. */
const SHARES: Readonly<Record<Priority, number>> = { high: 16, medium: 16, low: 8 };
const SWEEP_EVERY_MS = 5_000;
const FORGET_EVERY_MS = 60_000;
/** Rows that one statement deletes, and statements a table and run: 4,000 rows a second are kept up with. */
const FORGET_BATCH = 4_000;
const FORGET_BATCHES = 60;

/** Deletes at most `limit` rows that nobody asks for any more, and answers how many it deleted. */
export type Forget = (limit: number) => Promise<number>;

/** Every queue of notifications. Its workers want a lock of 5 s, so that a killed one's users wait no longer. */
export function notificationQueues(deps: {
  readonly notifications: Notifications;
  readonly providers: Providers;
  readonly postgres: Queryable;
  readonly clock: Clock;
}): readonly NotificationQueue[] {
  const { notifications, providers, postgres, clock } = deps;
  return deliveryQueues(notifications.openDelivery({ providers }), [
    (limit) => forgetCommands(postgres, clock.now(), limit),
  ]);
}

/** The same around a delivery room of one's own; `alsoForget` are other tables that maintenance keeps short. */
export function deliveryQueues(
  room: DeliveryRoom,
  alsoForget: readonly Forget[] = [],
): readonly NotificationQueue[] {
  const rings = channelQueues.map((queue) => ({
    queue: queue.name,
    handlers: [
      implementTask(ringMailbox.get(queue.name)!, ({ userId }, job) => room.drain({ queue, userId }, job)),
    ],
    concurrency: SHARES[queue.priorities[0]!],
  }));
  const retries = channels.map((channel) => ({
    queue: retryDelivery[channel].queue,
    handlers: [
      implementTask(retryDelivery[channel], ({ deliveryId }, job) =>
        room.requeue(deliveryId, job.correlationId),
      ),
    ],
    concurrency: 8,
  }));
  return [
    ...rings,
    ...retries,
    { queue: deadLetter.queue, handlers: [implementTask(deadLetter, logDeadLetter)], concurrency: 4 },
    {
      queue: sweepMailboxes.queue,
      handlers: [
        implementTask(sweepMailboxes, async (_, job) => {
          const rung = await room.sweep(job.correlationId);
          if (rung > 0) job.logger.debug({ rung }, 'rang for mailboxes that waited');
        }),
        implementTask(forgetExpired, async (_, job) => {
          for (const forget of [room.forget, ...alsoForget]) await forgetInBatches(forget, job);
        }),
      ],
      // Sweeping goes on while something is forgotten.
      concurrency: 2,
    },
  ];
}

/** The audit row was written when the delivery died; this tells the operators. */
async function logDeadLetter(letter: DeadLetter, { logger }: JobRun): Promise<void> {
  const { notification_id, user_id, channel, final_error, total_attempts } = letter;
  logger.warn({ notification_id, user_id, channel, final_error, total_attempts }, 'a delivery was given up');
}

async function forgetInBatches(forget: Forget, { signal }: JobRun): Promise<void> {
  for (let batch = 0; batch < FORGET_BATCHES && !signal.aborted; batch++) {
    if ((await forget(FORGET_BATCH)) < FORGET_BATCH) return;
  }
}

/** Sweeps every 5 s and forgets every minute, in one process of the fleet at a time. */
export async function scheduleNotificationTasks(queues: Queues): Promise<void> {
  await queues.repeat(sweepMailboxes, {}, SWEEP_EVERY_MS);
  await queues.repeat(forgetExpired, {}, FORGET_EVERY_MS);
}

import {
  channelQueues,
  type DeadLetter,
  deadLetter,
  retryDelivery,
  ringMailbox,
  sweepMailboxes,
} from '../domains/notifications/delivery/tasks.js';
import type { DeliveryRoom, Notifications } from '../domains/notifications/index.js';
import type { Providers } from '../domains/notifications/providers/index.js';
import { channels, type Priority } from '../domains/notifications/types.js';
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

/** Every queue of notifications. Its workers want a lock of 5 s, so that a killed one's users wait no longer. */
export function notificationQueues(deps: {
  readonly notifications: Notifications;
  readonly providers: Providers;
}): readonly NotificationQueue[] {
  return deliveryQueues(deps.notifications.openDelivery({ providers: deps.providers }));
}

/** The same around a delivery room of one's own. */
export function deliveryQueues(room: DeliveryRoom): readonly NotificationQueue[] {
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
      ],
      concurrency: 1,
    },
  ];
}

/** The audit row was written when the delivery died; this tells the operators. */
async function logDeadLetter(letter: DeadLetter, { logger }: JobRun): Promise<void> {
  const { notification_id, user_id, channel, final_error, total_attempts } = letter;
  logger.warn({ notification_id, user_id, channel, final_error, total_attempts }, 'a delivery was given up');
}

/** Sweeps every 5 s, in one process of the fleet at a time. */
export const scheduleNotificationTasks = (queues: Queues): Promise<void> =>
  queues.repeat(sweepMailboxes, {}, SWEEP_EVERY_MS);

import { z } from 'zod';
import type { JobParts } from '../../../platform/queues/job-runner.js';
import { defineTask, type Task } from '../../../platform/queues/queues.js';
import { type Channel, channels, type Priority, priorities, rulesOfChannel } from '../types.js';

/** One user's deliveries in one queue: they are sent one after the other. */
export interface Mailbox {
  readonly queue: ChannelQueue;
  readonly userId: string;
}

/** A queue of the notification document: the wake-up jobs of one channel and priority. */
export interface ChannelQueue {
  readonly name: string;
  readonly channel: Channel;
  readonly priority: Priority;
}

/** The most urgent of each channel first. */
export const channelQueues: readonly ChannelQueue[] = channels.flatMap((channel) =>
  priorities.map((priority) => ({ name: queueName(channel, priority), channel, priority })),
);

function queueName(channel: Channel, priority: Priority): string {
  const own = priority === 'low' ? rulesOfChannel(channel).lowQueue : undefined;
  return own ?? `notifications.${channel}.${priority}`;
}

/** The queue that a delivery waits in. */
export const queueOf = (channel: Channel, priority: Priority): ChannelQueue =>
  channelQueues.find((queue) => queue.channel === channel && queue.priority === priority)!;

const wakeUpPayload = z.object({
  userId: z.string(),
  /** Other users, each with a correlation id where it is not the job's. Workers of earlier versions read the first user alone. */
  others: z.array(z.object({ userId: z.string(), correlationId: z.string().optional() })).optional(),
});
type WakeUp = z.infer<typeof wakeUpPayload>;

/** A wake-up job, by its queue: there may be something in the mailboxes of these users. Postgres holds what. */
export const wakeMailbox: ReadonlyMap<string, Task<WakeUp>> = new Map(
  // Processes of earlier versions enqueue under this name.
  channelQueues.map(({ name }) => [name, defineTask({ name: 'ring', queue: name, payload: wakeUpPayload })]),
);

/** Each user of a wake-up job by themselves: each is sent to in a slot of their own, and the job ends with the last of them. */
export const usersOfWakeUp: JobParts<WakeUp> = {
  of: ({ payload: { userId, others = [] }, correlationId }) => [
    { payload: { userId }, correlationId },
    ...others.map((other) => ({
      payload: { userId: other.userId },
      correlationId: other.correlationId ?? correlationId,
    })),
  ],
  most: 20,
};

/** A delivery's next attempt is due: it goes back to its mailbox. */
export const retryDelivery = Object.fromEntries(
  channels.map((channel) => [
    channel,
    defineTask({
      name: 'retry',
      queue: `notifications.${channel}.retry`,
      payload: z.object({ deliveryId: z.uuid() }),
    }),
  ]),
) as Readonly<Record<Channel, Task<{ deliveryId: string }>>>;

const queueMessage = z.object({
  notification_id: z.string(),
  user_id: z.string(),
  channel: z.string(),
  priority: z.string(),
  rendered_content: z.record(z.string(), z.string()),
  device_tokens: z.array(z.string()).optional(),
  recipient_address: z.string().optional(),
  attempt: z.number().int(),
  max_retries: z.number().int(),
  /** Epoch seconds. */
  created_at: z.number(),
  /** RFC 3339. */
  expires_at: z.string().optional(),
  last_error: z.string(),
  final_error: z.string(),
  /** RFC 3339. */
  failed_at: z.string(),
  total_attempts: z.number().int(),
});
/** What the dead letter queue gets: the document's queue message with its three last fields. */
export type DeadLetter = z.infer<typeof queueMessage>;

export const deadLetter: Task<DeadLetter> = defineTask({
  name: 'dead-letter',
  queue: 'notifications.dlq',
  payload: queueMessage,
});

/** Decides and sends what is due: scheduled, deferred by quiet hours, or the fallback of what failed. */
export const releaseDue = defineTask({
  name: 'notifications.release',
  queue: 'notifications.release',
  payload: z.object({}),
});

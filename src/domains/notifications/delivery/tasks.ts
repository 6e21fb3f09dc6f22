import { z } from 'zod';
import { defineTask, type Task } from '../../../platform/queues.js';
import type { Channel, Priority } from '../types.js';

/** One user's deliveries in one queue: they are sent one after the other. */
export interface Mailbox {
  readonly queue: ChannelQueue;
  readonly userId: string;
}

/** A queue of the notification document, and whose deliveries it rings for. */
export interface ChannelQueue {
  readonly name: string;
  readonly channel: Channel;
  /** Most urgent first. */
  readonly priorities: readonly Priority[];
}

const queue = (channel: Channel, ...priorities: Priority[]): ChannelQueue => ({
  name: `notifications.${channel}.${priorities[0]}`,
  channel,
  priorities,
});

/**
 * The document has no sms.low: low SMS are the part of sms.medium that waits behind everybody's medium ones, so they have
 * a list of their own.
 */
export const channelQueues: readonly ChannelQueue[] = [
  queue('push', 'high'),
  queue('push', 'medium'),
  queue('push', 'low'),
  queue('sms', 'high'),
  queue('sms', 'medium'),
  { ...queue('sms', 'low'), name: 'notifications.sms.medium.low' },
  queue('email', 'high'),
  queue('email', 'medium'),
  queue('email', 'low'),
  queue('in_app', 'high'),
  queue('in_app', 'medium'),
  queue('in_app', 'low'),
];

/** The queue that a delivery waits in. */
export const queueOf = (channel: Channel, priority: Priority): ChannelQueue =>
  channelQueues.find((queue) => queue.channel === channel && queue.priorities.includes(priority))!;

const ringPayload = z.object({
  userId: z.string(),
  /** Made for when a lease ends: no doorbell stands for what comes while it runs. */
  afterLease: z.literal(true).optional(),
});

/** A doorbell: there may be something in this user's mailbox. Postgres holds what. */
export const ringMailbox: ReadonlyMap<string, Task<z.infer<typeof ringPayload>>> = new Map(
  channelQueues.map(({ name }) => [name, defineTask({ name: 'ring', queue: name, payload: ringPayload })]),
);

/** A delivery's next attempt is due: it goes back to its mailbox. */
export const retryDelivery: Readonly<Record<Channel, Task<{ deliveryId: string }>>> = {
  push: retryTask('push'),
  sms: retryTask('sms'),
  email: retryTask('email'),
  in_app: retryTask('in_app'),
};

function retryTask(channel: Channel): Task<{ deliveryId: string }> {
  return defineTask({
    name: 'retry',
    queue: `notifications.${channel}.retry`,
    payload: z.object({ deliveryId: z.uuid() }),
  });
}

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

/** Decides and sends what is due: scheduled, held back by quiet hours, or the fallback of what failed. */
export const releaseDue = defineTask({
  name: 'notifications.release',
  queue: 'notifications.release',
  payload: z.object({}),
});

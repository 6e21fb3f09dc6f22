import type { Sender } from '../../platform/auth/auth.js';
import { type Caller, metadataOf } from '../../platform/auth/caller.js';
import { ok, type Result } from '../../platform/errors.js';
import type { EventLog, RecordedEvent } from '../../platform/event-log/index.js';
import { readOrderEvent } from './order/events.js';
import { readTransferEvent } from './transfer/events.js';

/** What a user is notified of an event. */
export interface Message {
  /** Made from the event's position in the log: the same event is the same message. */
  readonly notificationId: string;
  readonly userId: string;
  /** A notification type. */
  readonly type: string;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * What commerce needs of notifications: has a message delivered. The same notification id again, however late, answers
 * the request that was accepted first and sends nothing.
 *
 * A refusal is final: nobody is notified. An exception is worth another try.
 */
export type SendMessage = (
  caller: Caller,
  message: Message,
) => Promise<Result<{ readonly requestId: string }>>;

/**
 * The events that somebody is notified of. Of refused payments only those that were accepted first and refused later, on
 * their way: the caller of a withdrawal that is refused at once gets the refusal, and nothing is appended.
 */
export const notifiedEventTypes: ReadonlySet<string> = new Set(['OrderShipped', 'TransferRefused']);

/** The event that says that somebody was notified. */
export const notificationRequested = 'NotificationRequested';

/** In whose name messages are sent. */
const sender: Caller['viewer'] = {
  userId: 'commerce' satisfies Sender,
  roles: new Set(['producer']),
  plan: 'free',
};

const notificationStream = (notificationId: string): string => `Notification-${notificationId}`;

/**
 * Notifies the user whom an event concerns, once, however often and late this is called: `NotificationRequested` in a
 * stream of the message's own says that it was done, under the event's correlation id.
 *
 * Refuses with what `send` refuses with; nobody is notified then.
 *
 * @param of.streamPosition of an event of one of `notifiedEventTypes`
 */
export async function notifyUser(
  { log, send }: { log: Pick<EventLog, 'readStream' | 'append'>; send: SendMessage },
  of: { readonly streamId: string; readonly streamPosition: number },
): Promise<Result<null>> {
  const stream = await log.readStream(of.streamId, -1, of.streamPosition + 1);
  const event = stream[of.streamPosition];
  if (!event) throw new Error(`${nameOf(of)} is not in the log`);
  const message = messageOf(event, stream);
  const streamId = notificationStream(message.notificationId);
  if ((await log.readStream(streamId, -1, 1)).length > 0) return ok(null);

  const caller = { viewer: sender, correlationId: event.metadata.correlationId };
  const sent = await send(caller, message);
  if (!sent.ok) return sent;
  const { notificationId, type, userId } = message;
  const data = { notificationId, requestId: sent.value.requestId, type, userId, version: 1 };
  // Where this is not the first, another process has just recorded the same: that is as good.
  await log.append({
    appends: [{ streamId, expected: 'none', events: [{ type: notificationRequested, data }] }],
    metadata: metadataOf(caller, nameOf(event)),
  });
  return ok(null);
}

/**
 * What is said of an event, and to whom.
 *
 * @param stream its events up to it
 */
export function messageOf(event: RecordedEvent, stream: readonly RecordedEvent[]): Message {
  switch (event.type) {
    case 'OrderShipped': {
      const [placed, shipped] = [readOrderEvent(stream[0]!), readOrderEvent(event)];
      if (placed.type !== 'OrderPlaced' || shipped.type !== 'OrderShipped') break;
      return {
        notificationId: `order-shipped-${event.globalPosition}`,
        userId: placed.data.ownerId,
        type: 'ORDER_SHIPPED',
        variables: { order_id: shipped.data.orderId, tracking_number: shipped.data.trackingNumber },
      };
    }
    case 'TransferRefused': {
      const refusal = readTransferEvent(event);
      if (refusal.type !== 'TransferRefused') break;
      const { ownerId, amount, currency, reason } = refusal.data;
      return {
        notificationId: `payment-failed-${event.globalPosition}`,
        userId: ownerId,
        type: 'PAYMENT_FAILED',
        variables: { amount: `${amount} ${currency}`, reason: inWords(reason) },
      };
    }
  }
  throw new Error(`nobody is notified of ${event.type} in ${nameOf(event)}`);
}

/** INSUFFICIENT_FUNDS is `insufficient funds`. */
const inWords = (code: string): string => code.toLowerCase().replaceAll('_', ' ');

/** How an event is named as a cause. */
const nameOf = ({ streamId, streamPosition }: Pick<RecordedEvent, 'streamId' | 'streamPosition'>): string =>
  `${streamId}@${streamPosition}`;

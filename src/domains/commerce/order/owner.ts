import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import type { EventLog, RecordedEvent } from '../../../platform/event-log/index.js';
import { isId } from '../read.js';
import { type OrderPlaced, orderStream, readOrderEvent } from './events.js';

/**
 * How an order was placed, if there is one, and it is the caller's or the caller an admin; by the log itself: it need not be
 * in the read model yet.
 */
export async function findOwnOrder(
  log: Pick<EventLog, 'readStream'>,
  caller: Caller,
  orderId: string,
): Promise<{ readonly placed: OrderPlaced; readonly recorded: RecordedEvent } | null> {
  const [recorded] = isId(orderId) ? await log.readStream(orderStream(orderId), -1, 1) : [];
  if (!recorded) return null;
  const { type, data } = readOrderEvent(recorded);
  return type === 'OrderPlaced' && mayActFor(caller, data.ownerId) ? { placed: data, recorded } : null;
}

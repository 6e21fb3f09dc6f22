import type { Caller } from '../../../platform/auth/caller.js';
import { customerStream, readCustomerEvent } from '../customer/events.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import { orderStream, readOrderEvent } from './events.js';
import { type KnownCustomer, knownAs, type Order, orderAfter, orderView } from './order.js';
import { findOwnOrder } from './owner.js';

/**
 * An order as it was at a moment, to the user of its customer or an admin; null where there is none, or it is
 * another's. See `replayUntil`.
 *
 * @throws PublicError what `replayUntil` throws
 */
export async function readOrderAsOf(
  deps: ReplayDeps,
  caller: Caller,
  orderId: string,
  asOf: Date,
): Promise<Order | null> {
  assertDate(asOf);
  const own = await findOwnOrder(deps.log, caller, orderId);
  if (!own) return null;
  const customer = await knownCustomer(deps, own.placed.customerId, own.recorded.globalPosition);
  const of = { streamId: orderStream(orderId), view: orderView, what: 'order', asOf };
  return replayUntil<Order>(deps, caller, of, (before, event) =>
    orderAfter(before, readOrderEvent(event), event, () => customer),
  );
}

/** The customer as they were known when the order was placed: they are named once, when they are registered. */
async function knownCustomer(
  { log }: ReplayDeps,
  customerId: string,
  before: number,
): Promise<KnownCustomer | undefined> {
  const [first] = await log.readStream(customerStream(customerId), -1, 1);
  if (!first || first.globalPosition > before) return undefined;
  const { type, data } = readCustomerEvent(first);
  return type === 'CustomerRegistered' ? knownAs(data) : undefined;
}

import { type Caller, mayActFor } from '../../../platform/caller.js';
import { customerStream, readCustomerEvent } from '../customer/events.js';
import { isId } from '../read.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import type { ReplayView } from '../replay-snapshots.js';
import { DELIVERY_DAYS } from '../shop.js';
import { orderStream, readOrderEvent } from './events.js';
import type { Order } from './order.js';
import {
  type KnownCustomer,
  nameOf,
  type OrderRow,
  onOrderCancelled,
  onOrderPlaced,
  onOrderShipped,
} from './row.js';

const VIEW: ReplayView = { name: 'order', version: 1 };

type View = Omit<OrderRow, 'last_event_position'>;

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
  if (!isId(orderId)) return null;
  const streamId = orderStream(orderId);
  const [first] = await deps.log.readStream(streamId, -1, 1);
  const placed = first && readOrderEvent(first);
  if (placed?.type !== 'OrderPlaced' || !mayActFor(caller, placed.data.ownerId)) return null;
  const customer = await knownCustomer(deps, placed.data.customerId, first!.globalPosition);
  const of = { streamId, view: VIEW, what: 'order', asOf };
  const view = await replayUntil<View>(deps, caller, of, (before, event) => {
    const { type, data } = readOrderEvent(event);
    if (type === 'OrderPlaced') return onOrderPlaced(data, event, customer);
    if (!before) throw new Error(`${streamId} begins with ${type}`);
    return type === 'OrderShipped'
      ? onOrderShipped(before, data, event)
      : onOrderCancelled(before, data, event);
  });
  return toOrder(view);
}

/** The customer as they were known when the order was placed: they are named once, when they are registered. */
async function knownCustomer(
  { log }: ReplayDeps,
  customerId: string,
  before: number,
): Promise<KnownCustomer | undefined> {
  const [first] = await log.readStream(customerStream(customerId), -1, 1);
  if (!first || first.globalPosition > before) return undefined;
  const registered = readCustomerEvent(first);
  if (registered.type !== 'CustomerRegistered') return undefined;
  return { name: nameOf(registered.data), email: registered.data.email };
}

function toOrder(view: View): Order {
  const day = view.placed_at;
  return {
    orderId: view.order_id,
    customerId: view.customer_id,
    ownerId: view.owner_id,
    customerName: view.customer_name,
    customerEmail: view.customer_email,
    status: view.status,
    items: view.items,
    totalAmount: view.total_amount,
    shippingAddress: view.shipping_address,
    estimatedDelivery: new Date(
      Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + DELIVERY_DAYS),
    ),
    placedAt: view.placed_at,
    trackingNumber: view.tracking_number,
    shippedAt: view.shipped_at,
    cancelledAt: view.cancelled_at,
    cancellationReason: view.cancellation_reason,
    version: view.version,
  };
}

import type { RecordedEvent } from '../../../platform/event-log/index.js';
import {
  type OrderEvent,
  type OrderedItem,
  type OrderPlaced,
  orderIdOf,
  type ShippingAddress,
} from './events.js';
import type { OrderStatus } from './order.js';

/** An order as its table has it. Amounts are decimal text. */
export interface OrderRow {
  readonly order_id: string;
  readonly customer_id: string;
  readonly owner_id: string;
  readonly customer_name: string;
  readonly customer_email: string;
  readonly status: OrderStatus;
  readonly items: readonly OrderedItem[];
  readonly total_amount: string;
  readonly shipping_address: string;
  readonly placed_at: Date;
  readonly tracking_number: string | null;
  readonly shipped_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly cancellation_reason: string | null;
  readonly version: number;
  readonly last_event_position: number;
}

type Unplaced<Row> = Omit<Row, 'last_event_position'>;

/** What the read model knows of a customer. */
export interface KnownCustomer {
  readonly name: string;
  readonly email: string;
}

/** Whose event it is, when it happened, and the version that the order has after it. */
type Placing = Pick<RecordedEvent, 'streamId' | 'streamPosition' | 'createdAt'>;
type Data<Type extends OrderEvent['type']> = Extract<OrderEvent, { type: Type }>['data'];

/**
 * The order, confirmed.
 *
 * @param customer undefined where the customer was never registered: the order is shown under the customer's id, without an address
 *   to write to, since a name is no reason to keep orders from being seen
 */
export const onOrderPlaced = (
  placed: OrderPlaced,
  { streamId, streamPosition, createdAt }: Placing,
  customer: KnownCustomer | undefined,
): Unplaced<OrderRow> => ({
  order_id: orderIdOf(streamId),
  customer_id: placed.customerId,
  owner_id: placed.ownerId,
  customer_name: customer?.name ?? placed.customerId,
  customer_email: customer?.email ?? '',
  status: 'CONFIRMED',
  items: placed.items,
  total_amount: placed.totalAmount,
  shipping_address: onOneLine(placed.shippingAddress),
  placed_at: createdAt,
  tracking_number: null,
  shipped_at: null,
  cancelled_at: null,
  cancellation_reason: null,
  version: streamPosition,
});

export const onOrderShipped = (
  order: Unplaced<OrderRow>,
  { trackingNumber }: Data<'OrderShipped'>,
  { createdAt, streamPosition }: Placing,
): Unplaced<OrderRow> => ({
  ...order,
  status: 'SHIPPED',
  tracking_number: trackingNumber,
  shipped_at: createdAt,
  version: streamPosition,
});

/** Whatever the status was: whether an order may still be cancelled was decided before the event. */
export const onOrderCancelled = (
  order: Unplaced<OrderRow>,
  { reason }: Data<'OrderCancelled'>,
  { createdAt, streamPosition }: Placing,
): Unplaced<OrderRow> => ({
  ...order,
  status: 'CANCELLED',
  cancelled_at: createdAt,
  cancellation_reason: reason,
  version: streamPosition,
});

/** Street, city and zip, country, as far as they were given. */
const onOneLine = ({ street, city, zip, country }: ShippingAddress): string =>
  [street, `${city} ${zip}`, country]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(', ');

/** A customer's name on one line. */
export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim();

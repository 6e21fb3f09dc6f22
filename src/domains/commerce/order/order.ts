import type { RecordedEvent } from '../../../platform/event-log/index.js';
import type { Optional } from '../command.js';
import type { CustomerRegistered } from '../customer/events.js';
import { mustExist } from '../must-exist.js';
import type { ReplayView } from '../replay-snapshots.js';
import { DELIVERY_DAYS } from '../shop.js';
import { type OrderEvent, type OrderedItem, orderIdOf, type ShippingAddress } from './events.js';

/** An order as queries show it. Amounts are decimals of the shop's currency, e.g. `12.50`. */
export interface Order {
  readonly orderId: string;
  readonly customerId: string;
  /** The user whom the customer belongs to. */
  readonly ownerId: string;
  readonly customerName: string;
  readonly customerEmail: string;
  readonly status: OrderStatus;
  readonly items: readonly OrderedItem[];
  readonly totalAmount: string;
  /** One line: street, city zip, country, as far as they were given. */
  readonly shippingAddress: string;
  /** A day, at midnight UTC. */
  readonly estimatedDelivery: Date | null;
  readonly placedAt: Date;
  readonly trackingNumber: string | null;
  readonly shippedAt: Date | null;
  readonly cancelledAt: Date | null;
  readonly cancellationReason: string | null;
  /** The stream position of the last event in it. */
  readonly version: number;
}

/** Its version is raised whenever the fields of `Order`, or what `orderAfter` makes of events, change: see `ReplayView`. */
export const orderView: ReplayView = { name: 'order', version: 2 };

export type OrderStatus = 'CONFIRMED' | 'SHIPPED' | 'CANCELLED';

export interface OrderFilter {
  readonly customerId?: Optional<string>;
  readonly status?: Optional<OrderStatus>;
}

/** An order after one more of its events. */
export interface OrderUpdate {
  /** Goes on after this update. */
  readonly cursor: string;
  readonly order: Order;
}

/** What the read model knows of a customer. */
export interface KnownCustomer {
  readonly name: string;
  readonly email: string;
}

/** A customer by the data of their registration: the name on one line. */
export const knownAs = ({ firstName, lastName, email }: CustomerRegistered): KnownCustomer => ({
  name: `${firstName} ${lastName}`.trim(),
  email,
});

/**
 * The order after one more event of its stream: what the read model has, what it was at a moment of the past, and what a
 * subscriber is sent.
 *
 * @param before null or undefined before the first
 * @param customerBy what was known of a customer when the order was placed; undefined where the customer was never registered:
 *   the order is shown under the customer's id, without an address to write to, since a name is no reason to keep orders from
 *   being seen
 */
export function orderAfter(
  before: Order | null | undefined,
  { type, data }: OrderEvent,
  recorded: Pick<RecordedEvent, 'type' | 'streamId' | 'streamPosition' | 'createdAt'>,
  customerBy: (customerId: string) => KnownCustomer | undefined,
): Order {
  const { streamPosition: version, createdAt } = recorded;
  if (type === 'OrderPlaced') {
    const { customerId, ownerId, items, totalAmount, shippingAddress } = data;
    const customer = customerBy(customerId);
    return {
      orderId: orderIdOf(recorded.streamId),
      customerId,
      ownerId,
      customerName: customer?.name ?? customerId,
      customerEmail: customer?.email ?? '',
      status: 'CONFIRMED',
      items,
      totalAmount,
      shippingAddress: onOneLine(shippingAddress),
      estimatedDelivery: deliveryOf(createdAt),
      placedAt: createdAt,
      trackingNumber: null,
      shippedAt: null,
      cancelledAt: null,
      cancellationReason: null,
      version,
    };
  }
  const known = mustExist(before, recorded);
  // A row that a former version wrote may lack the day.
  const order = { ...known, estimatedDelivery: known.estimatedDelivery ?? deliveryOf(known.placedAt) };
  switch (type) {
    case 'OrderShipped': {
      const { trackingNumber } = data;
      return { ...order, status: 'SHIPPED', trackingNumber, shippedAt: createdAt, version };
    }
    // Whatever the status was: whether an order may still be cancelled was decided before the event.
    case 'OrderCancelled':
      return {
        ...order,
        status: 'CANCELLED',
        cancelledAt: createdAt,
        cancellationReason: data.reason,
        version,
      };
    default:
      return type satisfies never;
  }
}

/** An order with the global position of the last event in it. In the order in which `writeOrders` takes them. */
export const storedFields = [
  'lastEventPosition',
  'version',
  'orderId',
  'customerId',
  'ownerId',
  'customerName',
  'customerEmail',
  'status',
  'items',
  'totalAmount',
  'shippingAddress',
  'estimatedDelivery',
  'placedAt',
  'trackingNumber',
  'shippedAt',
  'cancelledAt',
  'cancellationReason',
] as const satisfies readonly (keyof Order | 'lastEventPosition')[];

/** Street, city and zip, country, as far as they were given. */
const onOneLine = ({ street, city, zip, country }: ShippingAddress): string =>
  [street, `${city} ${zip}`, country]
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(', ');

/** The day after so many days, at midnight UTC. */
const deliveryOf = (placedAt: Date): Date =>
  new Date(
    Date.UTC(placedAt.getUTCFullYear(), placedAt.getUTCMonth(), placedAt.getUTCDate() + DELIVERY_DAYS),
  );

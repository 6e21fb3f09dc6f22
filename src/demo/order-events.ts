import { customerStream } from '../domains/commerce/customer/events.js';
import { formatAmount } from '../domains/commerce/money.js';
import { type OrderedItem, orderStream } from '../domains/commerce/order/events.js';
import { productStream } from '../domains/commerce/product/events.js';
import { SHOP_CURRENCY } from '../domains/commerce/shop.js';
import type { NewEvent } from '../platform/event-log/index.js';
import type { DemoCustomer } from './customers.js';
import { type Happening, SHOPKEEPER } from './happening.js';
import { minorOf } from './ledger.js';

/** An order of the demo, with what its later events need to know. */
export interface DemoOrder {
  readonly orderId: string;
  readonly customer: DemoCustomer;
  readonly items: readonly OrderedItem[];
  readonly totalAmount: string;
  readonly isShipped: boolean;
}

export const amountOf = (minor: bigint): string => formatAmount(minor, SHOP_CURRENCY);

export const totalOf = (items: readonly OrderedItem[]): bigint =>
  items.reduce((sum, { lineTotal }) => sum + minorOf(lineTotal), 0n);

export function placed(order: DemoOrder, at: number): readonly Happening[] {
  const { customer, items, totalAmount } = order;
  const { customerId, userId: ownerId, address: shippingAddress } = customer;
  const data = { customerId, ownerId, items, totalAmount, shippingAddress };
  return written(order, 'place', ownerId, at, [
    [orderStream(order.orderId), { type: 'OrderPlaced', data: { ...facts(order, at), ...data } }],
    ...moved(order, 'InventoryReserved'),
  ]);
}

export function shipped(order: DemoOrder, trackingNumber: string, at: number): readonly Happening[] {
  return written(order, 'ship', SHOPKEEPER, at, [
    [orderStream(order.orderId), { type: 'OrderShipped', data: { ...facts(order, at), trackingNumber } }],
    ...moved(order, 'InventoryShipped'),
  ]);
}

/** What was shipped does not come back. */
export function cancelled(order: DemoOrder, reason: string, at: number): readonly Happening[] {
  const { customer, totalAmount } = order;
  const { customerId, userId } = customer;
  const data = { ...facts(order, at), customerId, totalAmount, reason };
  return written(order, 'cancel', userId, at, [
    [orderStream(order.orderId), { type: 'OrderCancelled', data }],
    ...(order.isShipped ? [] : moved(order, 'InventoryReleased')),
  ]);
}

export function paid(order: DemoOrder, at: number): readonly Happening[] {
  const { customerId } = order.customer;
  const data = { customerId, amount: order.totalAmount, reference: order.orderId, version: 1 };
  return written(order, 'pay', SHOPKEEPER, at, [
    [customerStream(customerId), { type: 'PaymentRecorded', data }],
  ]);
}

const facts = (order: DemoOrder, at: number) => ({
  orderId: order.orderId,
  timestamp: new Date(at).toISOString(),
  version: 1,
});

/** One event a product, for all of its lines together. */
function moved(order: DemoOrder, type: string): readonly (readonly [string, NewEvent])[] {
  const quantities = new Map<string, number>();
  for (const { productId, quantity } of order.items) {
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  }
  return [...quantities].map(([productId, quantity]) => [
    productStream(productId),
    { type, data: { orderId: order.orderId, productId, quantity, version: 1 } },
  ]);
}

/** What one command writes. */
function written(
  order: DemoOrder,
  command: string,
  userId: string,
  at: number,
  events: readonly (readonly [string, NewEvent])[],
): readonly Happening[] {
  const correlationId = `demo-${order.orderId}`;
  const metadata = { correlationId, causationId: `${correlationId}/${command}`, userId };
  const relatedStreams = [
    orderStream(order.orderId),
    customerStream(order.customer.customerId),
    ...order.items.map(({ productId }) => productStream(productId)),
  ];
  return events.map(([streamId, event]) => ({ ...event, streamId, metadata, at, relatedStreams }));
}

import { z } from 'zod';
import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import { snapshotShape } from '../snapshot-shape.js';
import type { OrderEvent } from './events.js';

/** So many of a product, all lines of the order that name it together. */
const units = z.object({ productId: z.string(), quantity: z.number() });

const orderState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('UNKNOWN') }),
  z.object({
    status: z.enum(['CONFIRMED', 'SHIPPED', 'CANCELLED']),
    /** The user whom the customer belongs to. */
    ownerId: z.string(),
    customerId: z.string(),
    units: z.array(units).readonly(),
    /** Minor units of the shop's currency. */
    total: z.coerce.bigint(),
  }),
]);

/** UNKNOWN is an order that nobody has placed. */
export type OrderState = Readonly<z.infer<typeof orderState>>;
export type PlacedOrder = Exclude<OrderState, { status: 'UNKNOWN' }>;
export type Units = Readonly<z.infer<typeof units>>;
export const orderSnapshot = snapshotShape<OrderState>(1, orderState);

export const unknownOrder: OrderState = { status: 'UNKNOWN' };

export function evolve(state: OrderState, event: OrderEvent): OrderState {
  if (event.type === 'OrderPlaced') {
    const { ownerId, customerId, items, totalAmount } = event.data;
    const total = minorUnitsOf(totalAmount, SHOP_CURRENCY);
    return { status: 'CONFIRMED', ownerId, customerId, units: unitsOf(items), total };
  }
  if (state.status === 'UNKNOWN') throw new Error(`${event.type} before OrderPlaced`);
  switch (event.type) {
    case 'OrderShipped':
      return { ...state, status: 'SHIPPED' };
    case 'OrderCancelled':
      return { ...state, status: 'CANCELLED' };
    default:
      return event satisfies never;
  }
}

/** Lines of one product summed, in the order in which the products come first. */
export function unitsOf(lines: readonly Units[]): readonly Units[] {
  const quantities = new Map<string, number>();
  for (const { productId, quantity } of lines) {
    quantities.set(productId, (quantities.get(productId) ?? 0) + quantity);
  }
  return [...quantities].map(([productId, quantity]) => ({ productId, quantity }));
}

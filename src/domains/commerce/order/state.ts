import { z } from 'zod';
import type { SnapshotShape } from '../../../platform/event-log/aggregate.js';
import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { OrderEvent } from './events.js';

/** UNKNOWN is an order that nobody has placed. */
export type OrderState = { readonly status: 'UNKNOWN' } | PlacedOrder;

export interface PlacedOrder {
  readonly status: 'CONFIRMED' | 'SHIPPED' | 'CANCELLED';
  /** The user whom the customer belongs to. */
  readonly ownerId: string;
  readonly customerId: string;
  readonly units: readonly Units[];
  /** Minor units of the shop's currency. */
  readonly total: bigint;
}

/** So many of a product, all lines of the order that name it together. */
export type Units = {
  readonly productId: string;
  readonly quantity: number;
};

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

const unknown = z.object({ status: z.literal('UNKNOWN') });
const placed = z.object({
  status: z.enum(['CONFIRMED', 'SHIPPED', 'CANCELLED']),
  ownerId: z.string(),
  customerId: z.string(),
  units: z.array(z.object({ productId: z.string(), quantity: z.number() })),
  total: z.coerce.bigint(),
});

export const orderSnapshot: SnapshotShape<OrderState> = {
  version: 1,
  encode: (state) =>
    state.status === 'UNKNOWN'
      ? { ...state }
      : { ...state, units: state.units, total: state.total.toString() },
  decode: (data) => z.union([placed, unknown]).parse(data),
};

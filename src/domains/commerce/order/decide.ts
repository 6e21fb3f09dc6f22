import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { formatAmount } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { OrderEvent } from './events.js';
import type { OrderState, PlacedOrder } from './state.js';

export interface ShipOrder {
  readonly kind: 'shipOrder';
  readonly actor: Actor;
  readonly orderId: string;
  readonly trackingNumber: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface CancelOrder {
  readonly kind: 'cancelOrder';
  readonly actor: Actor;
  readonly orderId: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** What can be done with an order that was placed; placing looks at more than the order: see `decidePlacing`. */
export type OrderCommand = ShipOrder | CancelOrder;

type Decision = Result<readonly OrderEvent[]>;
const ORDER = ['input', 'orderId'];
const orderNotFound = refused('ORDER_NOT_FOUND', 'There is no such order', ORDER);

export function decide(command: OrderCommand, state: OrderState): Decision {
  switch (command.kind) {
    case 'shipOrder':
      return shipOrder(command, state);
    case 'cancelOrder':
      return cancelOrder(command, state);
    default:
      return command satisfies never;
  }
}

function shipOrder({ actor, orderId, trackingNumber, timestamp }: ShipOrder, state: OrderState): Decision {
  if (!actor.isAdmin) return refused('FORBIDDEN', 'Only an admin may ship an order', ORDER);
  const order = activeOrder(state);
  if (!order.ok) return order;
  if (order.value.status === 'SHIPPED') {
    return refused('ORDER_SHIPPED', 'This order has been shipped already', ORDER);
  }
  return ok([{ type: 'OrderShipped', data: { orderId, trackingNumber, timestamp, version: 1 } }]);
}

/** A shipped order can be cancelled too. */
function cancelOrder({ actor, orderId, reason, timestamp }: CancelOrder, state: OrderState): Decision {
  // A stranger does not learn that there is one.
  if (state.status !== 'UNKNOWN' && state.ownerId !== actor.userId && !actor.isAdmin) return orderNotFound;
  const order = activeOrder(state);
  if (!order.ok) return order;
  const { customerId, total } = order.value;
  const totalAmount = formatAmount(total, SHOP_CURRENCY);
  return ok([
    { type: 'OrderCancelled', data: { orderId, customerId, totalAmount, reason, timestamp, version: 1 } },
  ]);
}

/** The order if it was placed and not cancelled. */
function activeOrder(state: OrderState): Result<PlacedOrder> {
  if (state.status === 'UNKNOWN') return orderNotFound;
  if (state.status === 'CANCELLED') return refused('ORDER_CANCELLED', 'This order is cancelled', ORDER);
  return ok(state);
}

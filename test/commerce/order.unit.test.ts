import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domains/commerce/command.js';
import { decide, type OrderCommand } from '../../src/domains/commerce/order/decide.js';
import type { OrderEvent } from '../../src/domains/commerce/order/events.js';
import { orderAt } from '../../src/domains/commerce/order/follow.js';
import type { Order } from '../../src/domains/commerce/order/order.js';
import { besideOrder } from '../../src/domains/commerce/order/plan.js';
import { evolve, orderSnapshot, unknownOrder } from '../../src/domains/commerce/order/state.js';

const alice: Actor = { userId: 'alice', isAdmin: false };
const bob: Actor = { userId: 'bob', isAdmin: false };
const admin: Actor = { userId: 'root', isAdmin: true };
const timestamp = '2026-01-01T00:00:00.000Z';

const item = (productId: string, quantity: number) => ({
  productId,
  productName: 'Tea',
  quantity,
  unitPrice: '2.50',
  lineTotal: '2.50',
});
const placed: OrderEvent = {
  type: 'OrderPlaced',
  data: {
    orderId: 'o1',
    customerId: 'c1',
    ownerId: 'alice',
    items: [item('tea', 2), item('cup', 1), item('tea', 3)],
    totalAmount: '15.00',
    shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
    timestamp,
    version: 1,
  },
};
const shipped: OrderEvent = {
  type: 'OrderShipped',
  data: { orderId: 'o1', trackingNumber: '1Z', timestamp, version: 1 },
};
const cancelled: OrderEvent = {
  type: 'OrderCancelled',
  data: { orderId: 'o1', customerId: 'c1', totalAmount: '15.00', reason: 'late', timestamp, version: 1 },
};

const ship = (actor = admin): OrderCommand => ({
  kind: 'shipOrder',
  actor,
  orderId: 'o1',
  trackingNumber: '1Z',
  timestamp,
});
const cancel = (actor = alice): OrderCommand => ({
  kind: 'cancelOrder',
  actor,
  orderId: 'o1',
  reason: 'late',
  timestamp,
});

/** What a command on an order with this history does: its events, or `CODE at.its.path`. */
function given(...history: OrderEvent[]) {
  const state = history.reduce(evolve, unknownOrder);
  return {
    when(command: OrderCommand): readonly OrderEvent[] | string {
      const decision = decide(command, state);
      if (decision.ok) return decision.value;
      return `${decision.errors[0]?.code} ${decision.errors[0]?.path?.join('.')}`;
    },
  };
}

describe('shipOrder', () => {
  it('ships a confirmed order, for an admin', () => {
    expect(given(placed).when(ship())).toEqual([shipped]);
    expect(given(placed).when(ship(alice))).toBe('FORBIDDEN input.orderId');
  });
  it('refuses an order that is unknown, shipped or cancelled', () => {
    expect(given().when(ship())).toBe('ORDER_NOT_FOUND input.orderId');
    expect(given(placed, shipped).when(ship())).toBe('ORDER_SHIPPED input.orderId');
    expect(given(placed, cancelled).when(ship())).toBe('ORDER_CANCELLED input.orderId');
    expect(given(placed, shipped, cancelled).when(ship())).toBe('ORDER_CANCELLED input.orderId');
  });
});

describe('cancelOrder', () => {
  it('cancels a confirmed and a shipped order, for its owner or an admin', () => {
    expect(given(placed).when(cancel())).toEqual([cancelled]);
    expect(given(placed, shipped).when(cancel(admin))).toEqual([cancelled]);
    expect(given(placed).when(cancel(bob))).toBe('ORDER_NOT_FOUND input.orderId');
  });
  it('refuses an order that is unknown or cancelled', () => {
    expect(given().when(cancel())).toBe('ORDER_NOT_FOUND input.orderId');
    expect(given(placed, cancelled).when(cancel())).toBe('ORDER_CANCELLED input.orderId');
  });
  it('a stranger who cancels an order learns nothing of its state', () => {
    expect(given(placed, cancelled).when(cancel(bob))).toBe('ORDER_NOT_FOUND input.orderId');
  });
});

describe('beside an order’s event', () => {
  const stateAfter = (...history: OrderEvent[]) => history.reduce(evolve, unknownOrder);
  const movements = (event: OrderEvent, ...history: OrderEvent[]) =>
    besideOrder(event, stateAfter(...history)).appends.map(({ streamId, expected, events }) => [
      streamId,
      expected,
      events[0]?.type,
      events[0]?.data.quantity,
    ]);
  it('each product’s units move once, whichever version its stream is at', () => {
    expect(movements(shipped, placed)).toEqual([
      ['Product-tea', 'any', 'InventoryShipped', 5],
      ['Product-cup', 'any', 'InventoryShipped', 1],
    ]);
    expect(movements(cancelled, placed)).toEqual([
      ['Product-tea', 'any', 'InventoryReleased', 5],
      ['Product-cup', 'any', 'InventoryReleased', 1],
    ]);
  });
  it('nothing moves where a shipped order is cancelled; the balance goes down all the same', () => {
    expect(movements(cancelled, placed, shipped)).toEqual([]);
    expect(besideOrder(cancelled, stateAfter(placed, shipped)).inlineProjection).toEqual({
      name: 'cancel_order',
      args: { customerId: 'c1', total: 1_500, lines: [] },
    });
  });

  it('there is no second placing', () => {
    expect(() => besideOrder(placed, stateAfter(placed))).toThrow('o1 was placed before');
  });
});

describe('an order’s snapshot', () => {
  it('gives back the state that it was made of', () => {
    for (const history of [[], [placed], [placed, shipped, cancelled]]) {
      const state = history.reduce(evolve, unknownOrder);
      const stored = JSON.parse(JSON.stringify(orderSnapshot.encode(state)));
      expect(orderSnapshot.decode(stored)).toEqual(state);
    }
    expect(() => orderSnapshot.decode({ status: 'CONFIRMED' })).toThrow();
  });
  it('is not made of a history that does not begin with a placed order', () => {
    expect(() => evolve(unknownOrder, shipped)).toThrow('OrderShipped before OrderPlaced');
  });
});

describe('an order at a version', () => {
  const now: Order = {
    orderId: 'o1',
    customerId: 'c1',
    ownerId: 'alice',
    customerName: 'Alice',
    customerEmail: '',
    status: 'CANCELLED',
    items: [item('tea', 2), item('cup', 1), item('tea', 3)],
    totalAmount: '15.00',
    shippingAddress: 'Oxford OX1',
    estimatedDelivery: new Date('1970-01-06'),
    placedAt: new Date(0),
    trackingNumber: '1Z',
    shippedAt: new Date(1),
    cancelledAt: new Date(2),
    cancellationReason: 'late',
    version: 2,
  };
  const recorded = [placed, shipped, cancelled].map((event, streamPosition) => ({
    ...event,
    streamId: 'Order-o1',
    streamPosition,
    globalPosition: streamPosition + 1,
    metadata: { correlationId: 's', causationId: 's' },
    createdAt: new Date(streamPosition),
  }));

  it('has what happened until then, and nothing of what came later', () => {
    const notCancelled = { cancelledAt: null, cancellationReason: null };
    const notShipped = { trackingNumber: null, shippedAt: null };
    expect(orderAt(now, recorded, 2)).toEqual(now);
    expect(orderAt(now, recorded, 1)).toEqual({ ...now, ...notCancelled, status: 'SHIPPED', version: 1 });
    expect(orderAt(now, recorded, 0)).toEqual({
      ...now,
      ...notCancelled,
      ...notShipped,
      status: 'CONFIRMED',
      version: 0,
    });
  });
});

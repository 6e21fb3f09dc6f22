import { type Result, refused } from '../../../platform/errors.js';
import type { Plan } from '../../../platform/event-log/execute.js';
import type { JsonObject, StreamAppend } from '../../../platform/event-log/index.js';
import { creditLimitExceeded, inactiveCustomer } from '../customer/credit.js';
import { commerceProjections } from '../inline-projections.js';
import { type ProductEvent, productStream } from '../product/events.js';
import { type OrderEvent, orderStream } from './events.js';
import { type OrderLine, outOfStock, type Placement, type PlacingFacts } from './place.js';
import type { OrderState, Units } from './state.js';

/** The order, its reservations, and the inline projection that checks the rules again under the append lock. */
export function planPlacing({ placed, reserved, total }: Placement, { stocks }: PlacingFacts): Plan {
  const { orderId, customerId, ownerId } = placed;
  const lines = reserved.map(({ productId, quantity }) => {
    const { name, unitPrice } = stocks.get(productId)!;
    return { productId, quantity, name, price: Number(unitPrice) };
  });
  const order = {
    streamId: orderStream(orderId),
    expected: 'none' as const,
    events: [{ type: 'OrderPlaced', data: placed }],
  };
  return {
    appends: [order, ...moveStock('InventoryReserved', orderId, reserved)],
    inlineProjection: commerceProjections.call('place_order', {
      customerId,
      ownerId,
      total: Number(total),
      lines,
    }),
  };
}

/** What changed between reading the facts and taking the append lock. */
export function explainPlacing(
  { code, detail }: { readonly code: string; readonly detail: JsonObject },
  lines: readonly OrderLine[],
): Result<never> | 'decide again' {
  switch (code) {
    case 'INACTIVE_CUSTOMER':
      return inactiveCustomer;
    case 'OUT_OF_STOCK':
      return outOfStock(lines, String(detail.productId));
    case 'CREDIT_LIMIT_EXCEEDED':
      return creditLimitExceeded;
    case 'FACTS_CHANGED':
      return 'decide again';
    default:
      return refused(code, `Refused: ${code}`);
  }
}

/**
 * What an event of an order does to the shelf and to what its customer owes: shipping takes the reserved units away,
 * cancelling releases them where they have not been shipped, and lowers the balance either way.
 */
export function besideOrder(
  event: OrderEvent,
  state: OrderState,
): Pick<Plan, 'appends' | 'inlineProjection'> {
  if (state.status === 'UNKNOWN') throw new Error(`${event.type} before OrderPlaced`);
  const { orderId } = event.data;
  const { customerId, total, units } = state;
  switch (event.type) {
    case 'OrderPlaced':
      throw new Error(`${orderId} was placed before`);
    case 'OrderShipped':
      return {
        appends: moveStock('InventoryShipped', orderId, units),
        inlineProjection: commerceProjections.call('ship_order', { lines: units }),
      };
    case 'OrderCancelled': {
      const released = state.status === 'SHIPPED' ? [] : units;
      return {
        appends: moveStock('InventoryReleased', orderId, released),
        inlineProjection: commerceProjections.call('cancel_order', {
          customerId,
          total: Number(total),
          lines: released,
        }),
      };
    }
    default:
      return event satisfies never;
  }
}

/** One event a product, each in the product's own stream, wherever that has got to: orders do not hinder each other. */
const moveStock = (
  type: Exclude<ProductEvent['type'], 'ProductSaved'>,
  orderId: string,
  units: readonly Units[],
): readonly StreamAppend[] =>
  units.map(({ productId, quantity }) => ({
    streamId: productStream(productId),
    expected: 'any',
    events: [{ type, data: { orderId, productId, quantity, version: 1 } }],
  }));

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MOST_ITEMS, type Order } from '../domains/commerce/index.js';
import { commandId, commandType, decimal, modelQuery } from './commerce-fields.js';
import {
  commandRoute,
  type Deps,
  queryRoute,
  version,
  versionOf,
  versionSchema,
  waitFor,
} from './commerce-requests.js';
import { exactNumber } from './exact-json.js';
import { listUpTo } from './list-up-to.js';
import { dateTime, idInPath, money } from './rest-document.js';

const item = z.strictObject({ productId: z.string(), quantity: z.int(), price: decimal });

const placeOrder = z.strictObject({
  type: z.literal('PlaceOrder'),
  orderId: z.string().nullish(),
  customerId: z.string(),
  items: listUpTo(MOST_ITEMS, z.array(item)),
  shippingAddress: z.strictObject({
    street: z.string().nullish(),
    city: z.string(),
    zip: z.string(),
    country: z.string().nullish(),
  }),
  commandId,
});
const shipOrder = z.strictObject({ type: commandType('ShipOrder'), trackingNumber: z.string(), commandId });
const cancelOrder = z.strictObject({ type: commandType('CancelOrder'), reason: z.string(), commandId });

const orderInPath = idInPath('order');

const orderModel = z.object({
  orderId: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  status: z.enum(['CONFIRMED', 'SHIPPED', 'CANCELLED']),
  items: z.array(
    z.object({
      productId: z.string(),
      productName: z.string(),
      quantity: z.int(),
      unitPrice: money('As it was when the order was placed, in US dollars.'),
      lineTotal: money('`unitPrice` times `quantity`.'),
    }),
  ),
  totalAmount: money('The sum of all lines, in US dollars.'),
  shippingAddress: z.string().describe('In one line.'),
  estimatedDelivery: z.iso.date().nullable().describe('A day. Null until it is known.'),
  placedAt: dateTime('When it was placed.'),
  trackingNumber: z.string().nullable().describe('Null until it is shipped.'),
  shippedAt: dateTime('Null until it is shipped.').nullable(),
  cancelledAt: dateTime('Null unless it is cancelled.').nullable(),
  cancellationReason: z.string().nullable(),
  version: z.int().describe('The position of the last event that is in it.'),
});

/**
 * - POST /api/orders: 201 `{ orderId, version }`
 * - POST /api/orders/{order_id}/ship and /cancel: 201 `{ version }`
 * - GET /api/orders/{order_id}?after_version=: 200, money as JSON numbers with their exact digits
 */
export function registerOrderRoutes(app: FastifyInstance, deps: Deps): void {
  const { commerce } = deps;
  app.post(
    '/api/orders',
    commandRoute(deps, {
      about: { operationId: 'placeOrder', tag: 'Orders', summary: 'Places an order.' },
      body: placeOrder,
      addressed: null,
      run: (caller, { type: _, ...body }) => commerce.placeOrder(caller, body),
      status: 201,
      accepted: z.object({ orderId: z.string(), version }),
      answer: ({ aggregateId, version }) => ({ orderId: aggregateId, version }),
    }),
  );
  app.post(
    '/api/orders/:id/ship',
    commandRoute(deps, {
      about: {
        operationId: 'shipOrder',
        tag: 'Orders',
        summary: 'Admin: ships an order.',
        params: orderInPath,
      },
      body: shipOrder,
      addressed: 'orderId',
      run: (caller, { type: _, ...body }, orderId) => commerce.shipOrder(caller, { ...body, orderId }),
      status: 201,
      accepted: versionSchema,
      answer: versionOf,
    }),
  );
  app.post(
    '/api/orders/:id/cancel',
    commandRoute(deps, {
      about: {
        operationId: 'cancelOrder',
        tag: 'Orders',
        summary: 'Cancels an order, also a shipped one.',
        params: orderInPath,
      },
      body: cancelOrder,
      addressed: 'orderId',
      run: (caller, { type: _, ...body }, orderId) => commerce.cancelOrder(caller, { ...body, orderId }),
      status: 201,
      accepted: versionSchema,
      answer: versionOf,
    }),
  );
  app.get(
    '/api/orders/:id',
    queryRoute(deps, {
      about: { operationId: 'readOrder', tag: 'Orders', summary: 'Reads an order.', params: orderInPath },
      query: modelQuery,
      found: { description: 'The order. What has not happened yet is null.', schema: orderModel },
      async answer(asked) {
        const order = await commerce.order(asked.caller, asked.id, waitFor(deps, asked));
        return order && toReadModel(order);
      },
      missing: 'There is no such order',
    }),
  );
}

/** The document's order read model, in its order. What has not happened yet is null. */
const toReadModel = (order: Order): z.infer<typeof orderModel> => ({
  orderId: order.orderId,
  customerName: order.customerName,
  customerEmail: order.customerEmail,
  status: order.status,
  items: order.items.map(({ productId, productName, quantity, unitPrice, lineTotal }) => ({
    productId,
    productName,
    quantity,
    unitPrice: exactNumber(unitPrice),
    lineTotal: exactNumber(lineTotal),
  })),
  totalAmount: exactNumber(order.totalAmount),
  shippingAddress: order.shippingAddress,
  estimatedDelivery: order.estimatedDelivery && dayOf(order.estimatedDelivery),
  placedAt: order.placedAt,
  trackingNumber: order.trackingNumber,
  shippedAt: order.shippedAt,
  cancelledAt: order.cancelledAt,
  cancellationReason: order.cancellationReason,
  version: order.version,
});

/** `2026-11-26`. */
const dayOf = (midnight: Date): string => midnight.toISOString().slice(0, 10);

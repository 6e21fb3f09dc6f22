import { z } from 'zod';
import { type Caller, isAdmin } from '../../../platform/caller.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { isId, type ReadDeps, readOne } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import { orderTopic } from './events.js';
import type { Order, OrderFilter } from './order.js';
import { sql } from './read.sql.js';

const pages = {
  all: { forward: sql.pageOrders, backward: sql.pageOrdersBack },
  allOfStatus: { forward: sql.pageOrdersOfStatus, backward: sql.pageOrdersOfStatusBack },
  own: { forward: sql.pageOwnOrders, backward: sql.pageOwnOrdersBack },
  ownOfStatus: { forward: sql.pageOwnOrdersOfStatus, backward: sql.pageOwnOrdersOfStatusBack },
  customer: { forward: sql.pageCustomersOrders, backward: sql.pageCustomersOrdersBack },
};
/** Where a list starts without a cursor: before the newest order, or after the oldest. */
const ends = { forward: ['infinity', ''], backward: ['-infinity', ''] } as const;

/** When the order was placed, in milliseconds, and its id. */
const cursorShape = z.tuple([
  z
    .int()
    .nonnegative()
    .max(Date.UTC(9999, 11, 31)),
  z.string().refine(isId),
]);

/**
 * An order, to whom its customer belongs or an admin; null where there is none.
 *
 * @param wait until the order has reached a version; see `readAfterVersion`
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export function readOrder(
  { postgres, waits }: ReadDeps,
  caller: Caller,
  orderId: string,
  wait?: Wait,
): Promise<Order | null> {
  const of = { kind: 'order', id: orderId, topic: orderTopic(orderId) } as const;
  const find = async () => {
    const { rows } = await postgres.query(sql.readOrder, [orderId]);
    const model = rows[0] && toOrder(rows[0]);
    return model ? { model, ownerId: model.ownerId } : null;
  };
  return readOne(waits, caller, of, find, wait);
}

/**
 * The orders of the caller's customers, an admin's are everybody's; the newest first.
 *
 * @param filter a customer of somebody else has no orders for the caller
 * @throws PublicError BAD_CURSOR
 */
export async function readOrders(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
  filter: OrderFilter = {},
): Promise<Connection<Order>> {
  const cursor = decodeCursor(page.cursor, cursorShape);
  if (filter.customerId != null && !isId(filter.customerId)) return toConnection(page, [], cursorOf);
  const [at, orderId] = cursor ? [new Date(cursor[0]), cursor[1]] : ends[page.direction];
  const ownerId = isAdmin(caller) ? null : caller.viewer.userId;
  const [list, which] = listOf(ownerId, filter);
  const statement = pages[list][page.direction];
  const { rows } = await postgres.query(statement, [at, orderId, page.limit + 1, ...which]);
  return toConnection(page, rows.map(toOrder), cursorOf);
}

/** The list that a filter asks for, and its statement's parameters. */
function listOf(
  ownerId: string | null,
  { customerId, status }: OrderFilter,
): [keyof typeof pages, (string | null)[]] {
  if (customerId != null) return ['customer', [ownerId, customerId, status ?? null]];
  if (ownerId === null) return status == null ? ['all', []] : ['allOfStatus', [status]];
  return status == null ? ['own', [ownerId]] : ['ownOfStatus', [ownerId, status]];
}

const cursorOf = ({ placedAt, orderId }: Order): string => encodeCursor(placedAt.getTime(), orderId);

const item = z.object({
  productId: z.string(),
  productName: z.string(),
  quantity: z.int(),
  unitPrice: z.string(),
  lineTotal: z.string(),
});

const orderRow = z
  .object({
    order_id: z.string(),
    customer_id: z.string(),
    owner_id: z.string(),
    customer_name: z.string(),
    customer_email: z.string(),
    status: z.enum(['CONFIRMED', 'SHIPPED', 'CANCELLED']),
    items: z.array(item),
    total_amount: z.string(),
    shipping_address: z.string(),
    estimated_delivery: z.date().nullable(),
    placed_at: z.date(),
    tracking_number: z.string().nullable(),
    shipped_at: z.date().nullable(),
    cancelled_at: z.date().nullable(),
    cancellation_reason: z.string().nullable(),
    version: z.int(),
  })
  .transform(
    (row): Order => ({
      orderId: row.order_id,
      customerId: row.customer_id,
      ownerId: row.owner_id,
      customerName: row.customer_name,
      customerEmail: row.customer_email,
      status: row.status,
      items: row.items,
      totalAmount: row.total_amount,
      shippingAddress: row.shipping_address,
      estimatedDelivery: row.estimated_delivery,
      placedAt: row.placed_at,
      trackingNumber: row.tracking_number,
      shippedAt: row.shipped_at,
      cancelledAt: row.cancelled_at,
      cancellationReason: row.cancellation_reason,
      version: row.version,
    }),
  );

const toOrder = (row: unknown): Order => orderRow.parse(row);

import { z } from 'zod';
import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isId, readerOf } from '../read.js';
import { orderTopic } from './events.js';
import type { Order, OrderFilter } from './order.js';
import { sql } from './orders.sql.js';

const pages = {
  all: { forward: sql.pageOrders, backward: sql.pageOrdersBack },
  allOfStatus: { forward: sql.pageOrdersOfStatus, backward: sql.pageOrdersOfStatusBack },
  own: { forward: sql.pageOwnOrders, backward: sql.pageOwnOrdersBack },
  ownOfStatus: { forward: sql.pageOwnOrdersOfStatus, backward: sql.pageOwnOrdersOfStatusBack },
  customer: { forward: sql.pageCustomersOrders, backward: sql.pageCustomersOrdersBack },
  customerOfStatus: {
    forward: sql.pageCustomersOrdersOfStatus,
    backward: sql.pageCustomersOrdersOfStatusBack,
  },
};
/** Where a list starts without a cursor: before the newest order, or after the oldest. */
const ends = { forward: ['infinity', ''], backward: ['-infinity', ''] } as const;

/** When the order was placed, in milliseconds, and its id. */
const cursors = cursorsOf(
  'orders',
  z.tuple([
    z
      .int()
      .nonnegative()
      .max(Date.UTC(9999, 11, 31)),
    z.string().refine(isId),
  ]),
);

/** An order, to whom its customer belongs or an admin. */
export const readOrder = readerOf<Order>({
  kind: 'order',
  topicOf: orderTopic,
  find: async (postgres, orderId) => (await postgres.query(sql.readOrder, [orderId])).rows[0],
  ownerOf: ({ ownerId }) => ownerId,
});

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
  const cursor = cursors.read(page.cursor);
  if (filter.customerId != null && !isId(filter.customerId)) return toConnection(page, [], cursorOf);
  const [at, orderId] = cursor ? [new Date(cursor[0]), cursor[1]] : ends[page.direction];
  const ownerId = isAdmin(caller) ? null : caller.viewer.userId;
  const [list, which] = listOf(ownerId, filter);
  const statement = pages[list][page.direction];
  const { rows } = await postgres.query(statement, [at, orderId, page.limit + 1, ...which]);
  return toConnection(page, rows, cursorOf);
}

/** The list that a filter asks for, and its statement's parameters. */
function listOf(
  ownerId: string | null,
  { customerId, status }: OrderFilter,
): [keyof typeof pages, (string | null)[]] {
  if (customerId != null) {
    if (status == null) return ['customer', [ownerId, customerId]];
    return ['customerOfStatus', [ownerId, customerId, status]];
  }
  if (ownerId === null) return status == null ? ['all', []] : ['allOfStatus', [status]];
  return status == null ? ['own', [ownerId]] : ['ownOfStatus', [ownerId, status]];
}

const cursorOf = ({ placedAt, orderId }: Order): string => cursors.write(placedAt.getTime(), orderId);

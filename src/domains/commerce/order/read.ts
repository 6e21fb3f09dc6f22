import type { Caller } from '../../../platform/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { ReadDeps } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import type { Order, OrderFilter } from './order.js';

export async function readOrder(
  _deps: ReadDeps,
  _caller: Caller,
  _orderId: string,
  _wait?: Wait,
): Promise<Order | null> {
  throw new Error('not written yet');
}

export async function readOrders(
  _postgres: Queryable,
  _caller: Caller,
  _page: PageRequest,
  _filter: OrderFilter,
): Promise<Connection<Order>> {
  throw new Error('not written yet');
}

import type { Caller } from '../../../platform/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { ReadDeps } from '../read.js';
import type { Wait } from '../read-your-writes.js';
import type { Customer } from './customer.js';

export async function readCustomer(
  _deps: ReadDeps,
  _caller: Caller,
  _customerId: string,
  _wait?: Wait,
): Promise<Customer | null> {
  throw new Error('not written yet');
}

export async function readCustomers(
  _postgres: Queryable,
  _caller: Caller,
  _page: PageRequest,
): Promise<Connection<Customer>> {
  throw new Error('not written yet');
}

import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { pageById, type ReadDeps, readerOf } from '../read.js';
import { type PositionWait, untilPosition, type Wait } from '../read-your-writes.js';
import type { Customer } from './customer.js';
import { sql } from './customers.sql.js';
import { customerTopic } from './events.js';

/** The projector that keeps them. */
export const CUSTOMERS = 'customers';

const pages = {
  all: { forward: sql.pageCustomers, backward: sql.pageCustomersBack },
  own: { forward: sql.pageOwnCustomers, backward: sql.pageOwnCustomersBack },
};

const readOne = readerOf<Customer>({
  kind: 'customer',
  topicOf: customerTopic,
  find: async (postgres, customerId) => (await postgres.query(sql.readCustomer, [customerId])).rows[0],
  ownerOf: ({ userId }) => userId,
});

/**
 * A customer, to the user whom they belong to or an admin; null where there is none. See `readerOf`.
 *
 * @param wait until the customer's own stream has reached a version
 * @param behind until everything up to a position of the log is in the customer: orders change the balance, and not the
 *   customer's version
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export async function readCustomer(
  deps: ReadDeps,
  caller: Caller,
  customerId: string,
  wait?: Wait,
  behind?: PositionWait,
): Promise<Customer | null> {
  const reader = { topic: customerTopic(customerId), userId: caller.viewer.userId };
  if (behind) await untilPosition(deps.waits, reader, CUSTOMERS, behind);
  return readOne(deps, caller, customerId, wait);
}

/** The caller's customers, an admin's are everybody's; by customer id. @throws PublicError BAD_CURSOR */
export const readCustomers = (
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<Customer>> =>
  pageById<Customer>(
    'customers',
    page,
    ({ customerId }) => customerId,
    async (atMost, from) => {
      const [list, whose] = isAdmin(caller)
        ? (['all', []] as const)
        : (['own', [caller.viewer.userId]] as const);
      const { rows } = await postgres.query(pages[list][page.direction], [atMost, from, ...whose]);
      return rows;
    },
  );

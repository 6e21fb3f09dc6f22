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
import { type PositionWait, untilPosition, type Wait } from '../read-your-writes.js';
import type { Customer } from './customer.js';
import { customerTopic } from './events.js';
import { sql } from './read.sql.js';

/** The projector that keeps them. */
export const CUSTOMERS = 'customers';

/** The customer id. */
const cursorShape = z.tuple([z.string().refine(isId)]);

/**
 * A customer, to the user whom they belong to or an admin; null where there is none.
 *
 * @param wait until the customer's own stream has reached a version; see `readAfterVersion`
 * @param behind until everything up to a position of the log is in the customer: orders change the balance, and not the
 *   customer's version
 * @throws PublicError READ_MODEL_TIMEOUT, BAD_USER_INPUT, SERVICE_UNAVAILABLE
 */
export async function readCustomer(
  { postgres, waits }: ReadDeps,
  caller: Caller,
  customerId: string,
  wait?: Wait,
  behind?: PositionWait,
): Promise<Customer | null> {
  const of = { kind: 'customer', id: customerId, topic: customerTopic(customerId) } as const;
  if (behind) await untilPosition(waits, { ...of, userId: caller.viewer.userId }, CUSTOMERS, behind);
  const find = async () => {
    const { rows } = await postgres.query(sql.readCustomer, [customerId]);
    const model = rows[0] && toCustomer(rows[0]);
    return model ? { model, ownerId: model.userId } : null;
  };
  return readOne(waits, caller, of, find, wait);
}

/** The caller's customers, an admin's are everybody's; by customer id. @throws PublicError BAD_CURSOR */
export async function readCustomers(
  postgres: Queryable,
  caller: Caller,
  page: PageRequest,
): Promise<Connection<Customer>> {
  const [from] = decodeCursor(page.cursor, cursorShape) ?? [null];
  const forward = page.direction === 'forward';
  const { rows } = isAdmin(caller)
    ? await postgres.query(forward ? sql.pageCustomers : sql.pageCustomersBack, [page.limit + 1, from])
    : await postgres.query(forward ? sql.pageOwnCustomers : sql.pageOwnCustomersBack, [
        page.limit + 1,
        from,
        caller.viewer.userId,
      ]);
  return toConnection(page, rows.map(toCustomer), ({ customerId }) => encodeCursor(customerId));
}

const customerRow = z
  .object({
    customer_id: z.string(),
    user_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_active: z.boolean(),
    credit_limit: z.string(),
    outstanding: z.string(),
    version: z.int(),
  })
  .transform(
    (row): Customer => ({
      customerId: row.customer_id,
      userId: row.user_id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      isActive: row.is_active,
      creditLimit: row.credit_limit,
      outstandingBalance: row.outstanding,
      version: row.version,
    }),
  );

const toCustomer = (row: unknown): Customer => customerRow.parse(row);

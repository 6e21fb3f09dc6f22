import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import { type EventLog, isArchived } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { debtEvents, orderStream } from '../order/events.js';
import { isId } from '../read.js';
import { type PositionWait, untilPosition } from '../read-your-writes.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { VersionWaits } from '../version-waits.js';
import { sql } from './as-of.sql.js';
import { owedBy } from './credit.js';
import { type Customer, customerAfter, customerView } from './customer.js';
import { customerStream, customerTopic, readCustomerEvent } from './events.js';

/** The projector that knows which orders are whose. */
const ORDERS = 'orders';

interface Deps extends ReplayDeps {
  readonly log: Pick<EventLog, 'readStream' | 'positionAt'>;
  readonly postgres: Queryable;
  readonly waits: VersionWaits;
}

/**
 * A customer as they were at a moment, what they owed for orders included; to the user whom they belong to or an admin,
 * null where there is none, or they are another's. See `replayUntil`. Waits, 5 s at most, until it is known which of the
 * orders that were placed by that moment are theirs.
 *
 * @throws PublicError READ_MODEL_TIMEOUT, SERVICE_UNAVAILABLE, and what `replayUntil` throws
 */
export async function readCustomerAsOf(
  deps: Deps,
  caller: Caller,
  customerId: string,
  asOf: Date,
  wait: Omit<PositionWait, 'afterPosition'>,
): Promise<Customer | null> {
  assertDate(asOf);
  if (!isId(customerId)) return null;
  const streamId = customerStream(customerId);
  const [first] = await deps.log.readStream(streamId, -1, 1);
  const registered = first && readCustomerEvent(first);
  if (registered?.type !== 'CustomerRegistered' || !mayActFor(caller, registered.data.userId)) return null;
  // Payments and orders up to one position: the moment may be now, and what comes in its millisecond is in neither then.
  const through = await deps.log.positionAt(asOf);
  const of = { streamId, view: customerView, what: 'customer', asOf, through };
  const { outstandingBalance, ...customer } = await replayUntil<Customer>(deps, caller, of, (before, event) =>
    customerAfter(before, readCustomerEvent(event), event),
  );
  const reader = { topic: customerTopic(customerId), userId: caller.viewer.userId };
  await untilPosition(deps.waits, reader, ORDERS, { ...wait, afterPosition: through });
  const owed = await owedForOrders(deps, customerId, { after: first!.globalPosition, through });
  return {
    ...customer,
    creditLimit: formatAmount(minorUnits(customer.creditLimit), SHOP_CURRENCY),
    // The customer's own stream has payments alone.
    outstandingBalance: formatAmount(owed + minorUnits(outstandingBalance), SHOP_CURRENCY),
  };
}

/** In minor units, for orders of these positions of the log. */
async function owedForOrders(
  { postgres, log }: Pick<Deps, 'postgres' | 'log'>,
  customerId: string,
  { after, through }: { readonly after: number; readonly through: number },
): Promise<bigint> {
  try {
    const values = [customerId, through, after];
    const { rows } = await postgres.query(sql.owedForOrders, values);
    return minorUnits(rows[0]!.owed);
  } catch (error) {
    if (!isArchived(error)) throw error;
  }
  // Some of them are in the archive: one by one.
  const { rows: orders } = await postgres.query(sql.ordersOf, [customerId]);
  let owed = 0n;
  for (const { orderId } of orders) {
    const events = await log.readStream(orderStream(orderId));
    const wanted = events.filter(({ globalPosition }) => globalPosition > after && globalPosition <= through);
    for (const event of debtEvents.readThose(wanted)) owed += owedBy(event);
  }
  return owed;
}

const minorUnits = (amount: string): bigint => minorUnitsOf(amount, SHOP_CURRENCY);

import { type Caller, mayActFor } from '../../../platform/auth/caller.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { debtEvents, orderStream } from '../order/events.js';
import { isId } from '../read.js';
import { type PositionWait, untilPosition } from '../read-your-writes.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import type { ReplayView } from '../replay-snapshots.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { VersionWaits } from '../version-waits.js';
import { sql } from './as-of.sql.js';
import { owedBy } from './credit.js';
import { type Customer, customerAfter, customerView } from './customer.js';
import { customerStream, customerTopic, readCustomerEvent } from './events.js';

/** What a customer owed for orders, in minor units. It is kept by its moment: of the customer's own stream nothing is in it. */
const owedView: ReplayView = { name: 'customer-owed', version: 1 };
/** Orders that a read passes before it keeps what they come to. */
const SNAPSHOT_AFTER = 200;

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
  const owed = await deps.inTurn(caller.viewer.userId, () =>
    owedForOrders(deps, customerId, { asOf, through }),
  );
  return {
    ...customer,
    creditLimit: formatAmount(minorUnits(customer.creditLimit), SHOP_CURRENCY),
    // The customer's own stream has payments alone.
    outstandingBalance: formatAmount(owed + minorUnits(outstandingBalance), SHOP_CURRENCY),
  };
}

/** Within what Postgres and JavaScript both have. */
const LAST_MOMENT = new Date('9999-12-31T00:00:00Z');

/**
 * In minor units, at a moment whose last position of the log is `through`. Goes on from what an earlier read kept; only orders that
 * something happened to since `through` was looked up are read from the log.
 */
async function owedForOrders(
  { postgres, log, snapshots }: Pick<Deps, 'postgres' | 'log' | 'snapshots'>,
  customerId: string,
  { asOf, through }: { readonly asOf: Date; readonly through: number },
): Promise<bigint> {
  const streamId = customerStream(customerId);
  const start = await snapshots.find<bigint>(streamId, owedView, asOf, through);
  const { rows } = await postgres.query(sql.owedForOrders, [
    ...[customerId, through, asOf],
    start?.at ?? '-infinity',
  ]);
  const { owed: added, is_settled: isSettled, unsure, orders } = rows[0]!;
  let owed = (start?.state ?? 0n) + minorUnits(added);
  for (const orderId of unsure) {
    const events = await log.readStream(orderStream(orderId));
    const wanted = events.filter(
      ({ globalPosition, createdAt }) => globalPosition <= through && (!start || createdAt > start.at),
    );
    for (const event of debtEvents.readThose(wanted)) owed += owedBy(event);
  }
  if (isSettled && orders >= SNAPSHOT_AFTER && !(await hasLater(snapshots, streamId, asOf))) {
    const place = { streamId, streamPosition: 0, globalPosition: through, createdAt: asOf };
    await snapshots.save(owedView, place, owed);
  }
  return owed;
}

/** Reads of earlier and earlier moments would keep a sum each, and go on from none of them. */
async function hasLater(snapshots: Deps['snapshots'], streamId: string, asOf: Date): Promise<boolean> {
  const latest = await snapshots.find<bigint>(streamId, owedView, LAST_MOMENT, Number.POSITIVE_INFINITY);
  return latest !== null && latest.at > asOf;
}

const minorUnits = (amount: string): bigint => minorUnitsOf(amount, SHOP_CURRENCY);

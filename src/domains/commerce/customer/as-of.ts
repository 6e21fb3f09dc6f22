import { type Caller, mayActFor } from '../../../platform/caller.js';
import { type EventLog, isArchived } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { orderStream, readOrderEvent } from '../order/events.js';
import { isId } from '../read.js';
import { type PositionWait, untilPosition } from '../read-your-writes.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import type { ReplayView } from '../replay-snapshots.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { VersionWaits } from '../version-waits.js';
import { sql } from './as-of.sql.js';
import type { Customer } from './customer.js';
import { customerStream, customerTopic, readCustomerEvent } from './events.js';

const VIEW: ReplayView = { name: 'customer', version: 1 };

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
  const of = { streamId, view: VIEW, what: 'customer', asOf, through };
  const { paid, ...customer } = await replayUntil<Own>(deps, caller, of, (before, event) => {
    const { type, data } = readCustomerEvent(event);
    const version = event.streamPosition;
    switch (type) {
      case 'CustomerRegistered': {
        const { userId, firstName, lastName, email } = data;
        const creditLimit = amount(data.creditLimit);
        return {
          customerId,
          userId,
          firstName,
          lastName,
          email,
          isActive: true,
          creditLimit,
          version,
          paid: 0n,
        };
      }
      case 'CustomerStatusSet':
        return { ...before!, isActive: data.isActive, creditLimit: amount(data.creditLimit), version };
      case 'PaymentRecorded':
        return { ...before!, paid: before!.paid + minorUnitsOf(data.amount, SHOP_CURRENCY), version };
      default:
        return type satisfies never;
    }
  });
  const reader = { topic: customerTopic(customerId), userId: caller.viewer.userId };
  await untilPosition(deps.waits, reader, ORDERS, { ...wait, afterPosition: through });
  const owed = await owedForOrders(deps, customerId, { after: first!.globalPosition, through });
  const outstanding = owed - paid;
  return { ...customer, outstandingBalance: formatAmount(outstanding, SHOP_CURRENCY) };
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
    return minorUnitsOf(rows[0]!.owed, SHOP_CURRENCY);
  } catch (error) {
    if (!isArchived(error)) throw error;
  }
  // Some of them are in the archive: one by one.
  const { rows: orders } = await postgres.query(sql.ordersOf, [customerId]);
  let owed = 0n;
  for (const { orderId } of orders) {
    for (const event of await log.readStream(orderStream(orderId))) {
      if (event.globalPosition <= after || event.globalPosition > through) continue;
      const { type, data } = readOrderEvent(event);
      if (type === 'OrderPlaced') owed += minorUnitsOf(data.totalAmount, SHOP_CURRENCY);
      if (type === 'OrderCancelled') owed -= minorUnitsOf(data.totalAmount, SHOP_CURRENCY);
    }
  }
  return owed;
}

/** What the customer's own stream says. */
type Own = Omit<Customer, 'outstandingBalance'> & {
  /** Minor units of the shop's currency. */
  readonly paid: bigint;
};

const amount = (text: string): string => formatAmount(minorUnitsOf(text, SHOP_CURRENCY), SHOP_CURRENCY);

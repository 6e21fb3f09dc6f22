import {
  type CustomerEvent,
  customerEventTypes,
  customerIdOf,
  customerTopic,
  readCustomerEvent,
} from '../../domains/commerce/customer/events.js';
import { CUSTOMERS } from '../../domains/commerce/customer/read.js';
import { formatAmount, minorUnitsOf } from '../../domains/commerce/money.js';
import { type OrderEvent, readOrderEvent } from '../../domains/commerce/order/events.js';
import { SHOP_CURRENCY } from '../../domains/commerce/shop.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';

import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { sql } from './customers.sql.js';
import { mustExist, startFold, type Unplaced } from './fold.js';

/** A customer as in the table. Amounts are decimal text. */
interface CustomerRow {
  readonly customer_id: string;
  readonly user_id: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly is_active: boolean;
  readonly credit_limit: string;
  readonly outstanding: string;
  /** Counts the customer's own stream; orders change what they owe without it. */
  readonly version: number;
  readonly last_event_position: number;
}

type Fact = CustomerEvent | OrderEvent;

/** Keeps customers and what they owe, which their orders change too. */
export function customers(wakeUps: WakeUpPublisher): Projector {
  return {
    name: CUSTOMERS,
    tables: ['customers'],
    eventTypes: new Set([...customerEventTypes, 'OrderPlaced', 'OrderCancelled']),
    async apply(events, tx) {
      const facts = events.map((event) => {
        const fact = factOf(event);
        return { event, fact, customerId: concerned(fact, event) };
      });
      const ids = facts.map(({ customerId }) => customerId);
      const fold = await startFold(tx, sql.readCustomers, ids, ({ customer_id }) => customer_id);
      for (const { event, fact, customerId } of facts) {
        fold.apply(customerId, event, (row) => after(row, customerId, fact, event));
      }
      const changed = fold.changed();
      if (changed.length > 0) await tx.query(sql.writeCustomers, [JSON.stringify(changed)]);
      return () =>
        wakeUps.publish(
          changed.map(({ customer_id, version }) => ({
            topics: [customerTopic(customer_id)],
            payload: { version },
          })),
        );
    },
  };
}

const factOf = (event: RecordedEvent): Fact =>
  customerEventTypes.has(event.type) ? readCustomerEvent(event) : readOrderEvent(event);

/** The customer whom an event concerns: its stream's, or the order's. */
const concerned = ({ type, data }: Fact, { streamId }: RecordedEvent): string =>
  type === 'OrderPlaced' || type === 'OrderCancelled' ? data.customerId : customerIdOf(streamId);

/** The customer after an event. What customers whom nobody registered order is ignored. */
function after(
  row: CustomerRow | undefined,
  customerId: string,
  { type, data }: Fact,
  event: RecordedEvent,
): Unplaced<CustomerRow> | undefined {
  const version = event.streamPosition;
  switch (type) {
    case 'CustomerRegistered':
      return {
        customer_id: customerId,
        user_id: data.userId,
        first_name: data.firstName,
        last_name: data.lastName,
        email: data.email,
        is_active: true,
        credit_limit: data.creditLimit,
        outstanding: row?.outstanding ?? '0',
        version,
      };
    case 'CustomerStatusSet':
      return { ...mustExist(row, event), is_active: data.isActive, credit_limit: data.creditLimit, version };
    case 'PaymentRecorded':
      return { ...owing(mustExist(row, event), -minorUnits(data.amount)), version };
    case 'OrderPlaced':
      return row && owing(row, minorUnits(data.totalAmount));
    case 'OrderCancelled':
      return row && owing(row, -minorUnits(data.totalAmount));
    case 'OrderShipped':
      return undefined;
    default:
      return type satisfies never;
  }
}

/** Less than nothing is owed once an order that was paid for is cancelled, of any size. */
const owing = (row: CustomerRow, change: bigint): CustomerRow => ({
  ...row,
  outstanding: formatAmount(minorUnits(row.outstanding) + change, SHOP_CURRENCY),
});
const minorUnits = (amount: string): bigint => minorUnitsOf(amount, SHOP_CURRENCY);

import { owedBy } from '../../domains/commerce/customer/credit.js';
import { type Customer, customerAfter, owingMore } from '../../domains/commerce/customer/customer.js';
import { sql } from '../../domains/commerce/customer/customers.sql.js';
import {
  customerEventTypes,
  customerIdOf,
  customerTopic,
  readCustomerEvent,
} from '../../domains/commerce/customer/events.js';
import { CUSTOMERS } from '../../domains/commerce/customer/read.js';
import { debtEvents } from '../../domains/commerce/order/events.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { publishVersions, startFold } from './fold.js';

/** Keeps customers and what they owe, which their orders change too. */
export const customers = (wakeUps: WakeUpPublisher): Projector => ({
  name: CUSTOMERS,
  tables: ['customers'],
  eventTypes: new Set([...customerEventTypes, ...debtEvents.types]),
  async apply(events, tx) {
    const changes = events.map(changeBy);
    const ids = changes.map(({ customerId }) => customerId);
    const fold = await startFold<Customer>(tx, sql.readStoredCustomers, ids, ({ customerId }) => customerId);
    for (const { customerId, event, change } of changes) fold.apply(customerId, event, change);
    const changed = fold.changed();
    if (changed.length > 0) await tx.query(sql.writeCustomers, [JSON.stringify(changed)]);
    return publishVersions(wakeUps, changed, ({ customerId }) => customerTopic(customerId));
  },
});

interface Change {
  readonly customerId: string;
  readonly event: RecordedEvent;
  change(customer: Customer | undefined): Customer | undefined;
}

/** The customer whom an event concerns, its stream's or the order's, and what it makes of them. */
function changeBy(event: RecordedEvent): Change {
  if (!debtEvents.types.has(event.type)) {
    const fact = readCustomerEvent(event);
    const customerId = customerIdOf(event.streamId);
    return { customerId, event, change: (customer) => customerAfter(customer, fact, event) };
  }
  const order = debtEvents.read(event);
  const { customerId } = order.data;
  // What customers whom nobody registered order is ignored.
  return { customerId, event, change: (customer) => customer && owingMore(customer, owedBy(order)) };
}

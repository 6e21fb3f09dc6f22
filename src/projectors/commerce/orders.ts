import { customerIdOf, readCustomerEvent } from '../../domains/commerce/customer/events.js';
import {
  type OrderEvent,
  orderEventTypes,
  orderIdOf,
  orderTopic,
  readOrderEvent,
} from '../../domains/commerce/order/events.js';
import {
  type KnownCustomer,
  knownAs,
  type Order,
  orderAfter,
  storedFields,
} from '../../domains/commerce/order/order.js';
import { sql } from '../../domains/commerce/order/orders.sql.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Queryable } from '../../platform/postgres/postgres.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { publishVersions, type Stored, startFold } from './fold.js';

/** Its own lookup of customers, so that it needs no other read model, and a rebuild gives the same. */
interface OrderCustomer extends KnownCustomer {
  readonly customerId: string;
}

/** Keeps orders, flat, each with its customer's name and address as they were known when it was placed. */
export const orders = (wakeUps: WakeUpPublisher): Projector => ({
  name: 'orders',
  tables: ['orders', 'order_customers'],
  eventTypes: new Set([...orderEventTypes, 'CustomerRegistered']),
  async apply(events, tx) {
    const facts = events.map((event) => ({
      event,
      order: orderEventTypes.has(event.type) ? readOrderEvent(event) : undefined,
    }));
    const customerIds = facts.flatMap(({ event, order }) => concerned(event, order));
    const orderIds = facts.flatMap(({ event, order }) => (order ? orderIdOf(event.streamId) : []));
    const customers = await startFold<OrderCustomer>(
      tx,
      sql.readOrderCustomers,
      customerIds,
      ({ customerId }) => customerId,
    );
    const orders = await startFold<Order>(tx, sql.readStoredOrders, orderIds, ({ orderId }) => orderId);
    for (const { event, order } of facts) {
      if (order) {
        orders.apply(orderIdOf(event.streamId), event, (before) =>
          orderAfter(before, order, event, customers.get),
        );
      } else {
        const customer = registered(event);
        customers.apply(customer.customerId, event, () => customer);
      }
    }
    await write(tx, customers.changed(), orders.changed());
    return publishVersions(wakeUps, orders.changed(), ({ orderId }) => orderTopic(orderId));
  },
});

/** The customer whose name an event needs, or gives. */
function concerned({ streamId }: RecordedEvent, order: OrderEvent | undefined): string | [] {
  if (!order) return customerIdOf(streamId);
  return order.type === 'OrderPlaced' ? order.data.customerId : [];
}

function registered(event: RecordedEvent): OrderCustomer {
  const { type, data } = readCustomerEvent(event);
  if (type !== 'CustomerRegistered') throw new Error(`${type} names nobody`);
  return { customerId: customerIdOf(event.streamId), ...knownAs(data) };
}

async function write(
  tx: Queryable,
  customers: readonly OrderCustomer[],
  orders: readonly Stored<Order>[],
): Promise<void> {
  if (customers.length > 0) await tx.query(sql.writeOrderCustomers, [JSON.stringify(customers)]);
  if (orders.length === 0) return;
  await tx.query(
    sql.writeOrders,
    storedFields.map((field) => orders.map((order) => parameterOf(order[field]))),
  );
}

/** An order's items are JSON. */
const parameterOf = (value: Stored<Order>[keyof Stored<Order>]) =>
  Array.isArray(value) ? JSON.stringify(value) : value;

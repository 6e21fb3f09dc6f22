import {
  type CustomerEvent,
  customerIdOf,
  readCustomerEvent,
} from '../../domains/commerce/customer/events.js';
import {
  type OrderEvent,
  orderEventTypes,
  orderIdOf,
  orderTopic,
  readOrderEvent,
} from '../../domains/commerce/order/events.js';
import {
  type KnownCustomer,
  nameOf,
  type OrderRow,
  onOrderCancelled,
  onOrderPlaced,
  onOrderShipped,
} from '../../domains/commerce/order/row.js';
import { DELIVERY_DAYS } from '../../domains/commerce/shop.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Queryable } from '../../platform/postgres.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { type Fold, mustExist, startFold } from './fold.js';
import { sql } from './orders.sql.js';

/** In the order in which `writeOrders` takes them; then come the items. */
const COLUMNS = [
  'order_id',
  'customer_id',
  'owner_id',
  'customer_name',
  'customer_email',
  'status',
  'total_amount',
  'shipping_address',
  'placed_at',
  'tracking_number',
  'shipped_at',
  'cancelled_at',
  'cancellation_reason',
  'version',
  'last_event_position',
] as const satisfies readonly (keyof OrderRow)[];

/** Its own lookup of customers, so that it needs no other read model, and a rebuild gives the same. */
interface CustomerRow extends KnownCustomer {
  readonly customer_id: string;
  readonly last_event_position: number;
}

/** Keeps orders, flat, each with its customer's name and address as they were known when it was placed. */
export function orders(wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'orders',
    tables: ['orders', 'order_customers'],
    eventTypes: new Set([...orderEventTypes, 'CustomerRegistered']),
    async apply(events, tx) {
      const facts = events.map((event) => ({ event, fact: factOf(event) }));
      const customers = await readCustomers(facts, tx);
      const orders = await readOrders(facts, tx);
      for (const { event, fact } of facts) {
        if (isOrderEvent(fact)) changeOrder(orders, fact, event, customers);
        else changeCustomer(customers, fact, event);
      }
      await write(tx, customers.changed(), orders.changed());
      return () =>
        wakeUps.publish(
          orders.changed().map(({ order_id, version }) => ({
            topics: [orderTopic(order_id)],
            payload: { version },
          })),
        );
    },
  };
}

type Fact = OrderEvent | CustomerEvent;
type Facts = readonly { readonly event: RecordedEvent; readonly fact: Fact }[];

const isOrderEvent = (fact: Fact): fact is OrderEvent => orderEventTypes.has(fact.type);
const factOf = (event: RecordedEvent): Fact =>
  orderEventTypes.has(event.type) ? readOrderEvent(event) : readCustomerEvent(event);

function readCustomers(facts: Facts, tx: Queryable): Promise<Fold<CustomerRow>> {
  const ids = facts.flatMap(({ event, fact }) => {
    if (fact.type === 'OrderPlaced') return fact.data.customerId;
    return fact.type === 'CustomerRegistered' ? customerIdOf(event.streamId) : [];
  });
  return startFold(tx, sql.readCustomers, ids, ({ customer_id }) => customer_id);
}

function readOrders(facts: Facts, tx: Queryable): Promise<Fold<OrderRow>> {
  const ids = facts.filter(({ fact }) => isOrderEvent(fact)).map(({ event }) => orderIdOf(event.streamId));
  return startFold(tx, sql.readOrders, ids, ({ order_id }) => order_id);
}

function changeCustomer(
  customers: Fold<CustomerRow>,
  { type, data }: CustomerEvent,
  event: RecordedEvent,
): void {
  if (type !== 'CustomerRegistered') return;
  const customerId = customerIdOf(event.streamId);
  customers.apply(customerId, event, () => ({
    customer_id: customerId,
    name: nameOf(data),
    email: data.email,
  }));
}

function changeOrder(
  orders: Fold<OrderRow>,
  { type, data }: OrderEvent,
  event: RecordedEvent,
  customers: Fold<CustomerRow>,
): void {
  orders.apply(orderIdOf(event.streamId), event, (order) => {
    switch (type) {
      case 'OrderPlaced':
        return onOrderPlaced(data, event, customers.get(data.customerId));
      case 'OrderShipped':
        return onOrderShipped(mustExist(order, event), data, event);
      case 'OrderCancelled':
        return onOrderCancelled(mustExist(order, event), data, event);
      default:
        return type satisfies never;
    }
  });
}

async function write(
  tx: Queryable,
  customers: readonly CustomerRow[],
  orders: readonly OrderRow[],
): Promise<void> {
  if (customers.length > 0) await tx.query(sql.writeCustomers, [JSON.stringify(customers)]);
  if (orders.length === 0) return;
  await tx.query(sql.writeOrders, [
    ...COLUMNS.map((column) => orders.map((order) => order[column])),
    orders.map(({ items }) => JSON.stringify(items)),
    DELIVERY_DAYS,
  ]);
}

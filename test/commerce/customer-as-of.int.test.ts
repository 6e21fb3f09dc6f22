import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCommerce, type PositionWait } from '../../src/domains/commerce/index.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { acceptedOf, alice, newCustomer, newProduct, orderOf, root } from './order-world.js';
import { type CommerceOnTest, ids, openCommerce, startProjector } from './with-commerce.js';

let on: CommerceOnTest;
let projectors: ReturnType<typeof startProjector>[];
beforeAll(async () => {
  on = await openCommerce();
  const readModels = createCommerceReadModels({ wakeUps: { publish: async () => undefined } });
  projectors = readModels.map((projector) => startProjector(on, projector));
});
afterAll(async () => {
  await Promise.all(projectors.map((projector) => projector.stop()));
  await on.close();
});

const wait = (): Omit<PositionWait, 'afterPosition'> => ({
  hub: { listen: async () => ({ next: () => new Promise<null>(() => undefined), close: () => undefined }) },
  clock: systemClock,
  signal: new AbortController().signal,
});

/** The moment of the last event, which has ended: a later one has an event. */
async function momentNow(customerId: string): Promise<Date> {
  const { events } = await on.log.readAll((await on.log.head()) - 1, 1);
  const moment = new Date(events[0]!.createdAt.getTime());
  while (Date.now() <= moment.getTime()) await new Promise(setImmediate);
  acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, creditLimit: `${1_000 + nextCent++}` }));
  return moment;
}
let nextCent = 1;

/** A process that notes how many orders each sum of debts has read, and how many sums are under way at once. */
function observed() {
  const seen = { orders: [] as number[], atOnce: 0, mostAtOnce: 0 };
  const postgres: Queryable = {
    async query(statement, values) {
      if (typeof statement === 'string' || !statement.text.includes('is_settled')) {
        return on.postgres.query(statement, values);
      }
      seen.atOnce += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
      const found = await on.postgres.query(statement, values);
      seen.atOnce -= 1;
      seen.orders.push((found.rows[0] as unknown as { orders: number }).orders);
      return found;
    },
  };
  const commerce = createCommerce({ postgres, log: on.log, ids, clock: systemClock });
  const owed = async (customerId: string, asOf: Date) =>
    (await commerce.customerAsOf(alice, customerId, asOf, wait()))?.outstandingBalance;
  return { seen, owed };
}

it('what a customer with many orders owed is summed once; later moments add what has happened since', async () => {
  const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
  const orderId = ids.next();
  acceptedOf(await on.commerce.placeOrder(alice, { ...orderOf(customerId, { [productId]: 2 }), orderId }));
  await on.postgres.query(
    `INSERT INTO orders (order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount,
       shipping_address, placed_at, cancelled_at, version, last_event_position)
     SELECT $1 || '-' || n, $1, 'alice', '', '', 'CONFIRMED', '[]', 1, '', '2020-01-01',
       CASE WHEN n <= 10 THEN '2020-01-02'::timestamptz END, 0, 1 FROM generate_series(1, 260) n`,
    [customerId],
  );
  const { seen, owed } = observed();
  const before = await momentNow(customerId);
  expect(await owed(customerId, before)).toBe('255.00');
  acceptedOf(await on.commerce.cancelOrder(alice, { orderId, reason: 'late' }));
  acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 3 })));
  const after = await momentNow(customerId);
  expect(await owed(customerId, after)).toBe('257.50');
  expect(await owed(customerId, before)).toBe('255.00');
  expect(seen.orders).toEqual([261, 2, 0]);
  await on.postgres.query('DELETE FROM replay_snapshots');
  expect(await owed(customerId, after)).toBe('257.50');
});

it('one viewer’s sums take turns', async () => {
  const customerId = await newCustomer(on);
  const moment = await momentNow(customerId);
  const { seen, owed } = observed();
  expect(await Promise.all([1, 2, 3].map(() => owed(customerId, moment)))).toEqual(['0.00', '0.00', '0.00']);
  expect(seen.mostAtOnce).toBe(1);
});

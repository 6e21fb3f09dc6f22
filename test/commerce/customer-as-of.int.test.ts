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

/** A process that notes the sums of debts that it begins, and how many orders each has read. */
function observed(until: Promise<void> = Promise.resolve()) {
  const seen = { begun: [] as unknown[], orders: [] as number[] };
  const postgres: Queryable = {
    async query(statement, values) {
      const isSum = typeof statement !== 'string' && statement.text.includes('is_settled');
      if (isSum) {
        seen.begun.push(values?.[0]);
        await until;
      }
      const found = await on.postgres.query(statement, values);
      if (isSum) seen.orders.push((found.rows[0] as unknown as { orders: number }).orders);
      return found;
    },
  };
  const commerce = createCommerce({ postgres, log: on.log, ids, clock: systemClock });
  const owed = async (customerId: string, asOf: Date, caller = alice) =>
    (await commerce.customerAsOf(caller, customerId, asOf, wait()))?.outstandingBalance;
  return { seen, owed };
}

it('what a customer with many orders owed is summed once; later moments add what has happened since, and earlier ones keep nothing', async () => {
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
  const [kept] = (await on.postgres.query('SELECT count(*)::int AS sums FROM replay_snapshots')).rows;
  for (const ms of [1, 2, 3]) await owed(customerId, new Date(before.getTime() - ms));
  const [then] = (await on.postgres.query('SELECT count(*)::int AS sums FROM replay_snapshots')).rows;
  expect(then).toEqual(kept);
  await on.postgres.query('DELETE FROM replay_snapshots');
  expect(await owed(customerId, after)).toBe('257.50');
});

it('one viewer’s sums take turns, beside those of others', async () => {
  const [first, second, another] = [await newCustomer(on), await newCustomer(on), await newCustomer(on)];
  const moment = await momentNow(another);
  const end = Promise.withResolvers<void>();
  const { seen, owed } = observed(end.promise);
  const reads = [owed(first, moment)];
  await expect.poll(() => seen.begun).toEqual([first]);
  reads.push(owed(second, moment));
  reads.push(owed(another, moment, root));
  await expect.poll(() => seen.begun).toContain(another);
  expect(seen.begun).not.toContain(second);
  end.resolve();
  expect(new Set(await Promise.all(reads))).toEqual(new Set(['0.00']));
  expect(seen.begun).toContain(second);
});

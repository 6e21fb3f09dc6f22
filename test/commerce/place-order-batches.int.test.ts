import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  acceptedOf,
  alice,
  codesOf,
  newCustomer,
  newProduct,
  orderOf,
  outstandingOf,
  root,
  stockOf,
} from './order-world.js';
import { type CommerceOnTest, ids, joinCommerce, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
let elsewhere: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});
beforeEach(() => on.postgres.query('TRUNCATE customer_credit, product_stock'));

const line = fc.record({
  quantity: fc.integer({ min: 1, max: 4 }),
  isOld: fc.constantFrom(false, false, false, true),
});
const order = fc.record({
  customer: fc.nat(3),
  ownerId: fc.constantFrom('alice', 'alice', 'alice', 'bob'),
  total: fc.integer({ min: 1, max: 40 }),
  /** Of each product; undefined: none. */
  lines: fc.tuple(fc.option(line, { nil: undefined }), line, fc.option(line, { nil: undefined })),
});
const world = fc.record({
  orders: fc.array(order, { minLength: 1, maxLength: 30 }),
  limits: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
  stocks: fc.tuple(fc.nat(20), fc.nat(20)),
  areActive: fc.tuple(fc.boolean(), fc.constant(true), fc.constant(true)),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Of three customers there are rows, and of two products. */
async function rowsOf({ limits, stocks, areActive }: World): Promise<void> {
  await on.postgres.query('TRUNCATE customer_credit, product_stock');
  await on.postgres.query(
    `INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit)
     SELECT 'c' || n - 1, 'alice', active, most FROM unnest($1::boolean[], $2::int[]) WITH ORDINALITY AS c (active, most, n)`,
    [areActive, limits],
  );
  await on.postgres.query(
    `INSERT INTO product_stock (product_id, name, unit_price, on_hand)
     SELECT 'p' || n - 1, 'P', 5, stock FROM unnest($1::int[]) WITH ORDINALITY AS p (stock, n)`,
    [stocks],
  );
}

const argsOf = ({ customer, ownerId, total, lines }: World['orders'][number]) => ({
  customerId: `c${customer}`,
  ownerId,
  total,
  lines: lines.flatMap((one, n) =>
    one ? { productId: `p${n}`, quantity: one.quantity, name: one.isOld ? 'Old' : 'P', price: 5 } : [],
  ),
});

async function rows(): Promise<unknown> {
  const { rows } = await on.postgres.query(
    `SELECT customer_id AS id, outstanding AS taken FROM customer_credit
     UNION ALL SELECT product_id, reserved FROM product_stock ORDER BY 1`,
  );
  return rows;
}

it('orders that are judged in one call come to what they come to one after the other', async () => {
  const codes = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const orders = given.orders
        // A third product is in nobody's catalogue: most orders leave it out.
        .map((one, n) =>
          argsOf(n % 5 === 0 ? one : { ...one, lines: [one.lines[0], one.lines[1], undefined] }),
        );
      await rowsOf(given);
      const singly: unknown[] = [];
      for (const args of orders) {
        const { rows } = await on.postgres.query("SELECT run_guard('place_order', $1, now(), 1) AS answer", [
          args,
        ]);
        singly.push(rows[0]!.answer);
      }
      const after = await rows();
      await rowsOf(given);
      const { rows: together } = await on.postgres.query(
        'SELECT to_jsonb(guard_place_orders(ARRAY(SELECT jsonb_array_elements($1)))) AS answers',
        [JSON.stringify(orders)],
      );
      expect(together[0]!.answers).toEqual(singly);
      expect(await rows()).toEqual(after);
      for (const answer of singly) codes.add((answer as { refuse: string } | null)?.refuse);
    }),
    { numRuns: 100 },
  );
  expect(codes).toEqual(
    new Set([undefined, 'FACTS_CHANGED', 'INACTIVE_CUSTOMER', 'OUT_OF_STOCK', 'CREDIT_LIMIT_EXCEEDED']),
  );
}, 120_000);

/** Has this process know the customer and the products, so that the orders after it travel at once. */
async function known(customerId: string, ...productIds: string[]): Promise<void> {
  acceptedOf(
    await on.commerce.placeOrder(
      alice,
      orderOf(customerId, Object.fromEntries(productIds.map((id) => [id, 1]))),
    ),
  );
}

it('an order of a batch that is refused refuses no other, and each has its own answer', async () => {
  const [rich, poor] = [await newCustomer(on, '1000'), await newCustomer(on, '7.50')];
  const [plenty, scarce] = [await newProduct(on, 100), await newProduct(on, 3)];
  await known(rich, plenty, scarce);
  await known(poor, plenty);
  const results = await Promise.all([
    on.commerce.placeOrder(alice, orderOf(rich, { [plenty]: 1 })),
    on.commerce.placeOrder(alice, orderOf(rich, { [plenty]: 1, [scarce]: 3 })),
    on.commerce.placeOrder(alice, orderOf(poor, { [plenty]: 3 })),
    on.commerce.placeOrder(alice, orderOf(rich, { [scarce]: 2 })),
    on.commerce.placeOrder(alice, orderOf(rich, { [scarce]: 1 })),
    on.commerce.placeOrder(alice, orderOf(poor, { [plenty]: 2 })),
  ]);
  expect(results.map(codesOf)).toEqual([
    [],
    ['OUT_OF_STOCK input items 1'],
    ['CREDIT_LIMIT_EXCEEDED input customerId'],
    [],
    ['OUT_OF_STOCK input items 0'],
    [],
  ]);
  expect(await stockOf(on, scarce)).toEqual({ on_hand: 3, reserved: 3 });
  expect(await stockOf(on, plenty)).toEqual({ on_hand: 100, reserved: 5 });
  expect(await outstandingOf(on, poor)).toBe(750);
});

it('of two orders of a batch with one id the second is refused, and where the first is refused it is not', async () => {
  const [rich, poor] = [await newCustomer(on, '1000'), await newCustomer(on, '2.50')];
  const product = await newProduct(on, 100);
  await known(rich, product);
  await known(poor, product);
  const place = (customerId: string, orderId: string, quantity: number) =>
    on.commerce.placeOrder(alice, { ...orderOf(customerId, { [product]: quantity }), orderId });
  const [taken, free] = [ids.next(), ids.next()];
  const results = await Promise.all([
    place(rich, taken, 1),
    place(rich, taken, 2),
    place(poor, free, 1),
    place(rich, free, 4),
  ]);
  expect(results.map(codesOf)).toEqual([
    [],
    ['ORDER_EXISTS input orderId'],
    ['CREDIT_LIMIT_EXCEEDED input customerId'],
    [],
  ]);
  expect(await stockOf(on, product)).toEqual({ on_hand: 100, reserved: 7 });
});

it('each command of a batch keeps its id: a repeat answers its first result and takes nothing', async () => {
  const customerId = await newCustomer(on, '1000');
  const product = await newProduct(on, 4);
  await known(customerId, product);
  const place = (n: number) =>
    on.commerce.placeOrder(alice, {
      ...orderOf(customerId, { [product]: 1 }),
      orderId: `${customerId}-${n}`,
      commandId: `c${n}`,
    });
  const first = await Promise.all([0, 1, 2].map(place));
  const again = await Promise.all([0, 1, 2, 3].map(place));
  expect(again.slice(0, 3)).toEqual(first);
  expect(codesOf(again[3]!)).toEqual(['OUT_OF_STOCK input items 0']);
  expect(await stockOf(on, product)).toEqual({ on_hand: 4, reserved: 4 });
});

it('no order is refused by what this process knew before: prices, stock and status that others have changed count at once', async () => {
  const customerId = await newCustomer(on, '1000');
  const product = await newProduct(on, 2);
  await known(customerId, product);
  const save = (inStock: number, unitPrice: string, name = 'Tea') =>
    elsewhere.commerce.saveProduct(root, { productId: product, name, unitPrice, inStock });
  const place = (quantity: number, price = '2.50') =>
    on.commerce.placeOrder(alice, orderOf(customerId, { [product]: quantity }, price));
  acceptedOf(await place(1));
  expect(codesOf(await place(1))).toEqual(['OUT_OF_STOCK input items 0']);
  acceptedOf(await save(10, '3.00'));
  expect(codesOf(await place(1))).toEqual(['PRICE_CHANGED input items 0 price']);
  const { aggregateId } = acceptedOf(await place(1, '3.00'));
  acceptedOf(await save(10, '3.00', 'Thé'));
  const renamed = acceptedOf(await place(1, '3.00')).aggregateId;
  const namesOf = async (id: string) =>
    (await on.log.readStream(`Order-${id}`)).map(
      ({ data }) => (data.items as { productName: string }[])[0]!.productName,
    );
  expect([await namesOf(aggregateId), await namesOf(renamed)]).toEqual([['Tea'], ['Thé']]);
  const status = (isActive: boolean) => elsewhere.commerce.setCustomerStatus(root, { customerId, isActive });
  acceptedOf(await status(false));
  expect(codesOf(await place(1, '3.00'))).toEqual(['INACTIVE_CUSTOMER input customerId']);
  acceptedOf(await status(true));
  acceptedOf(await place(1, '3.00'));
});

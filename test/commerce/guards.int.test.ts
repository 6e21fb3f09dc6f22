import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type CommerceOnTest, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

beforeEach(async () => {
  await on.postgres.query('TRUNCATE customer_credit, product_stock');
  await on.postgres.query(
    `INSERT INTO customer_credit VALUES ('c1', 'alice', true, 2000, 500), ('c2', 'bob', false, 0, 0)`,
  );
  await on.postgres.query(
    `INSERT INTO product_stock VALUES ('tea', 'Tea', 250, 10, 4), ('cup', 'Cup', 900, 1, 0)`,
  );
});

async function verdict(guard: string, args: object): Promise<unknown> {
  const { rows } = await on.postgres.query<{ verdict: unknown }>(
    'SELECT run_guard($1, $2, now(), 1) AS verdict',
    [guard, args],
  );
  return rows[0]!.verdict;
}
async function rows(): Promise<unknown> {
  const query = `SELECT ARRAY(SELECT (customer_id, user_id, is_active, credit_limit, outstanding)::text FROM customer_credit ORDER BY 1)
    || ARRAY(SELECT (product_id, name, unit_price, on_hand, reserved)::text FROM product_stock ORDER BY 1) AS rows`;
  return (await on.postgres.query<{ rows: string[] }>(query)).rows[0]!.rows;
}

const tea = (quantity: number, change: object = {}) => ({
  productId: 'tea',
  quantity,
  name: 'Tea',
  price: 250,
  ...change,
});
const cup = (quantity: number) => ({ productId: 'cup', quantity, name: 'Cup', price: 900 });
const order = (lines: object[], change: object = {}) => ({
  customerId: 'c1',
  ownerId: 'alice',
  total: 1500,
  lines,
  ...change,
});

it.each([
  ['place_order', order([tea(6)], { customerId: 'c9' }), { refuse: 'FACTS_CHANGED' }],
  ['place_order', order([tea(6)], { ownerId: 'bob' }), { refuse: 'FACTS_CHANGED' }],
  [
    'place_order',
    order([tea(99, { price: 1 })], { customerId: 'c2', ownerId: 'bob' }),
    { refuse: 'INACTIVE_CUSTOMER' },
  ],
  ['place_order', order([tea(99), tea(1, { productId: 'pot' })]), { refuse: 'FACTS_CHANGED' }],
  ['place_order', order([cup(99), tea(1, { price: 251 })]), { refuse: 'FACTS_CHANGED' }],
  ['place_order', order([cup(99), tea(1, { name: 'tea' })]), { refuse: 'FACTS_CHANGED' }],
  ['place_order', order([cup(1), tea(7)], { total: 9999 }), { refuse: 'OUT_OF_STOCK', productId: 'tea' }],
  ['place_order', order([tea(7), cup(2)]), { refuse: 'OUT_OF_STOCK', productId: 'tea' }],
  ['place_order', order([tea(6)], { total: 1501 }), { refuse: 'CREDIT_LIMIT_EXCEEDED' }],
  ['register_customer', { customerId: 'c1', userId: 'eve', creditLimit: 1 }, { refuse: 'CUSTOMER_EXISTS' }],
  [
    'register_customer',
    { customerId: 'c3', userId: 'alice', creditLimit: 1, highestTotal: 2000 },
    { refuse: 'CREDIT_LIMIT_FORBIDDEN' },
  ],
  ['record_payment', { customerId: 'c1', amount: 501 }, { refuse: 'PAYMENT_TOO_LARGE' }],
  ['record_payment', { customerId: 'c9', amount: 1 }, { refuse: 'PAYMENT_TOO_LARGE' }],
  [
    'save_product',
    { productId: 'tea', name: 'T', unitPrice: 1, onHand: 3 },
    { refuse: 'STOCK_RESERVED', reserved: 4 },
  ],
])('%s of %j is refused with %j and writes nothing', async (guard, args, refusal) => {
  const before = await rows();
  expect(await verdict(guard, args)).toEqual(refusal);
  expect(await rows()).toEqual(before);
});

it.each([
  ['place_order', order([tea(6)]), ['(c1,alice,t,2000,2000)', '(tea,Tea,250,10,10)']],
  ['ship_order', { lines: [tea(4)] }, ['(c1,alice,t,2000,500)', '(tea,Tea,250,6,0)']],
  [
    'cancel_order',
    { customerId: 'c1', total: 600, lines: [tea(1)] },
    ['(c1,alice,t,2000,-100)', '(tea,Tea,250,10,3)'],
  ],
  ['record_payment', { customerId: 'c1', amount: 500 }, ['(c1,alice,t,2000,0)']],
  ['register_customer', { customerId: 'c3', userId: 'eve', creditLimit: 7 }, ['(c3,eve,t,7,0)']],
  [
    'register_customer',
    { customerId: 'c3', userId: 'alice', creditLimit: 1, highestTotal: 2001 },
    ['(c3,alice,t,1,0)'],
  ],
  [
    'register_customer',
    { customerId: 'c3', userId: 'alice', creditLimit: 0, highestTotal: 1 },
    ['(c3,alice,t,0,0)'],
  ],
  [
    'set_customer_status',
    { customerId: 'c1', userId: 'x', isActive: false, creditLimit: 1 },
    ['(c1,alice,f,1,500)'],
  ],
  [
    'set_customer_status',
    { customerId: 'c3', userId: 'eve', isActive: true, creditLimit: 7 },
    ['(c3,eve,t,7,0)'],
  ],
  ['save_product', { productId: 'tea', name: 'T', unitPrice: 1, onHand: 4 }, ['(tea,T,1,4,4)']],
  ['save_product', { productId: 'pot', name: 'Pot', unitPrice: 1, onHand: 0 }, ['(pot,Pot,1,0,0)']],
])('%s of %j goes ahead and leaves %j', async (guard, args, left) => {
  expect(await verdict(guard, args)).toBeNull();
  expect(await rows()).toEqual(expect.arrayContaining(left));
});

it('more than is reserved leaves no shelf, and the command before it in the batch stands', async () => {
  const metadata = { correlationId: 'c', causationId: 'c' };
  const append = (quantity: number) =>
    on.log.append({
      appends: [
        { streamId: `Order-${quantity}`, expected: 'none', events: [{ type: 'OrderShipped', data: {} }] },
      ],
      metadata,
      inlineProjection: { name: 'ship_order', args: { lines: [tea(quantity)] } },
    });
  const [shipped, tooMany] = await Promise.allSettled([append(3), append(2)]);
  expect(shipped).toMatchObject({ status: 'fulfilled', value: { kind: 'accepted' } });
  expect(tooMany).toMatchObject({ status: 'rejected', reason: { code: '23514' } });
  expect(await rows()).toContain('(tea,Tea,250,7,1)');
});

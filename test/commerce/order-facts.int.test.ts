import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFactsReader } from '../../src/domains/commerce/order/facts.js';
import { newCustomer, newProduct } from './order-world.js';
import { type CommerceOnTest, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

it('the facts of an order are exact, also where a JSON number would not be', async () => {
  const [customerId, productId] = [await newCustomer(on), await newProduct(on)];
  await on.postgres.query('UPDATE customer_credit SET outstanding = $1, credit_limit = $2', [
    '-9007199254740993',
    '9007199254740995',
  ]);
  await on.postgres.query('UPDATE product_stock SET unit_price = 9007199254740997');
  const lines = [{ productId, quantity: 1, price: 250n }];
  const facts = await createFactsReader(on.postgres)({ orderId: 'o1', customerId, lines });
  expect(facts).toEqual({
    customer: {
      userId: 'alice',
      isActive: true,
      creditLimit: 9007199254740995n,
      outstanding: -9007199254740993n,
    },
    stocks: new Map([[productId, { name: 'Tea', unitPrice: 9007199254740997n, onHand: 10, reserved: 0 }]]),
    taken: false,
  });
});

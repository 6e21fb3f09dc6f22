import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Accepted } from '../../src/domains/commerce/index.js';
import { productStream, readProductEvent } from '../../src/domains/commerce/product/events.js';
import { evolveStock, type Stock } from '../../src/domains/commerce/product/state.js';
import type { Result } from '../../src/platform/errors.js';
import { alice, codesOf, newCustomer, newProduct, orderOf, outstandingOf, stockOf } from './order-world.js';
import { type CommerceOnTest, joinCommerce, openCommerce } from './with-commerce.js';

const WRITERS = 64;
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

/** Writers, half of them in another process, who order until none is accepted any more. */
async function orderUntilRefused(
  order: (commerce: CommerceOnTest['commerce'], turn: number) => Promise<Result<Accepted>>,
): Promise<{ accepted: number; codes: ReadonlySet<string> }> {
  let [accepted, turn] = [0, 0];
  const codes = new Set<string>();
  async function writer(commerce: CommerceOnTest['commerce']): Promise<void> {
    for (;;) {
      const result = await order(commerce, turn++);
      for (const code of codesOf(result)) codes.add(code.split(' ')[0]!);
      if (!result.ok) return;
      accepted += 1;
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer((n % 2 ? on : elsewhere).commerce)));
  return { accepted, codes };
}

it('concurrent orders of several customers in two processes sell exactly what is in stock', async () => {
  const customers = await Promise.all([0, 1, 2, 3].map(() => newCustomer(on, '100000')));
  const products = await Promise.all([0, 1, 2].map(() => newProduct(on, 150)));
  const [hot, warm, cold] = products as [string, string, string];
  // Every order takes one of the hot product, and now and then one of another.
  const { accepted, codes } = await orderUntilRefused((commerce, turn) =>
    commerce.placeOrder(
      alice,
      orderOf(customers[turn % 4]!, {
        [turn % 3 ? hot : warm]: 1,
        ...(turn % 5 ? {} : { [cold]: 1 }),
        [hot]: 1,
      }),
    ),
  );
  expect(accepted).toBe(150);
  expect([...codes]).toEqual(['OUT_OF_STOCK']);
  expect(await stockOf(on, hot)).toEqual({ on_hand: 150, reserved: 150 });
  let owed = 0;
  for (const customerId of customers) owed += (await outstandingOf(on, customerId))!;
  let reserved = 0;
  for (const productId of products) {
    const events = (await on.log.readStream(productStream(productId))).map(readProductEvent);
    const folded = events.reduce<Stock | null>(evolveStock, null)!;
    expect({ on_hand: folded.onHand, reserved: folded.reserved }).toEqual(await stockOf(on, productId));
    reserved += folded.reserved;
  }
  expect(owed).toBe(reserved * 250);
});

it('concurrent orders of a customer reach exactly their credit limit, and not a cent more', async () => {
  const customerId = await newCustomer(on, '202');
  const products = await Promise.all([0, 1].map(() => newProduct(on, 1_000)));
  const { accepted, codes } = await orderUntilRefused((commerce, turn) =>
    commerce.placeOrder(alice, orderOf(customerId, { [products[turn % 2]!]: 1 })),
  );
  expect(accepted).toBe(80);
  expect([...codes]).toEqual(['CREDIT_LIMIT_EXCEEDED']);
  expect(await outstandingOf(on, customerId)).toBe(20_000);
});

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productStream, readProductEvent } from '../../src/domains/commerce/product/events.js';
import { evolveStock, type Stock } from '../../src/domains/commerce/product/state.js';
import { readStock } from '../../src/domains/commerce/product/stock.js';
import { alice, newCustomer, newProduct, orderOf, outstandingOf, root } from './order-world.js';
import { type CommerceOnTest, joinCommerce, openCommerce } from './with-commerce.js';

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

const product = fc.integer({ min: 0, max: 1 });
const quantity = fc.integer({ min: 1, max: 4 });
/** Orders are picked among those that were placed so far. */
const order = fc.nat();
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('place' as const), product, quantity }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ship' as const), order }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('save' as const),
      product,
      inStock: fc.integer({ min: 0, max: 30 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), cents: fc.integer({ min: 1, max: 2_000 }) }),
  },
);

it('after any commands, from writers in two processes, is what the product’s events say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 20, maxLength: 60 }), async (commands) => {
      const customerId = await newCustomer(on, '75');
      const products = [await newProduct(on), await newProduct(on)];
      const orders: { orderId: string; cents: number }[] = [];
      const standing = new Map<string, number>();
      let paid = 0;
      const run = async (given: (typeof commands)[number], { commerce }: CommerceOnTest): Promise<void> => {
        const picked = 'order' in given ? orders[given.order % Math.max(1, orders.length)] : undefined;
        switch (given.kind) {
          case 'place': {
            const input = orderOf(customerId, { [products[given.product]!]: given.quantity });
            const result = await commerce.placeOrder(alice, input);
            if (!result.ok) return;
            const placed = { orderId: result.value.aggregateId, cents: given.quantity * 250 };
            orders.push(placed);
            standing.set(placed.orderId, placed.cents);
            return;
          }
          case 'ship':
            if (picked) await commerce.shipOrder(root, { ...picked, trackingNumber: '1Z' });
            return;
          case 'cancel':
            if (!picked) return;
            if ((await commerce.cancelOrder(alice, { ...picked, reason: 'x' })).ok)
              standing.delete(picked.orderId);
            return;
          case 'save': {
            const productId = products[given.product]!;
            const { inStock } = given;
            await commerce.saveProduct(root, { productId, name: 'Tea', unitPrice: '2.50', inStock });
            return;
          }
          case 'pay': {
            const amount = (given.cents / 100).toFixed(2);
            if ((await commerce.recordPayment(root, { customerId, amount })).ok) paid += given.cents;
            return;
          }
          default:
            given satisfies never;
        }
      };
      // Four writers share the commands.
      const queue = [...commands];
      const writer = async (at: CommerceOnTest): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift()) await run(next, at);
      };
      await Promise.all([on, elsewhere, on, elsewhere].map(writer));

      for (const productId of products) {
        const events = (await on.log.readStream(productStream(productId))).map(readProductEvent);
        let stock: Stock | null = null;
        for (const event of events) {
          stock = evolveStock(stock, event);
          expect(stock.reserved).toBeGreaterThanOrEqual(0);
          expect(stock.reserved).toBeLessThanOrEqual(stock.onHand);
        }
        expect(await readStock(on.postgres, productId)).toEqual(stock);
      }
      const owed = [...standing.values()].reduce((sum, cents) => sum + cents, 0) - paid;
      expect(await outstandingOf(on, customerId)).toBe(owed);
      expect(owed).toBeLessThanOrEqual(7_500);
    }),
    { numRuns: 25 },
  );
});

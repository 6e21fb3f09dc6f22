import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productStream, readProductEvent } from '../../src/domains/commerce/product/events.js';
import {
  acceptedOf,
  alice,
  codesOf,
  messagesOf,
  newCustomer,
  orderOf,
  root,
  stockOf,
} from './order-world.js';
import { type CommerceOnTest, ids, openCommerce } from './with-commerce.js';

let on: CommerceOnTest;
const tea = { productId: 'tea', name: 'Tea', unitPrice: '2.5', inStock: 10 };

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

describe('saveProduct', () => {
  it('puts a product on the shelf and changes it later, beside all orders', async () => {
    expect(acceptedOf(await on.commerce.saveProduct(root, tea))).toMatchObject({
      aggregateId: 'tea',
      version: 0,
    });
    const customerId = await newCustomer(on);
    acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { tea: 4 })));
    const saved = await on.commerce.saveProduct(root, {
      ...tea,
      name: 'Green tea',
      unitPrice: '3',
      inStock: 4,
    });
    expect(acceptedOf(saved)).toMatchObject({ version: 2, position: await on.log.head() });
    expect(await stockOf(on, 'tea')).toEqual({ on_hand: 4, reserved: 4 });
    const events = await on.log.readStream(productStream('tea'));
    expect(readProductEvent(events[2]!)).toEqual({
      type: 'ProductSaved',
      data: { productId: 'tea', name: 'Green tea', unitPrice: '3.00', inStock: 4, version: 1 },
    });
    expect(events[2]!.metadata).toMatchObject({ userId: 'root', correlationId: 'story of root' });
    const short = await on.commerce.saveProduct(root, { ...tea, inStock: 3 });
    expect(codesOf(short)).toEqual(['STOCK_RESERVED input inStock']);
    expect(messagesOf(short)).toEqual(['4 units are reserved for orders']);
  });

  it('never takes away what is being ordered at the same time', async () => {
    const customerId = await newCustomer(on);
    const productId = ids.next();
    acceptedOf(await on.commerce.saveProduct(root, { ...tea, productId }));
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 2
          ? on.commerce.saveProduct(root, { ...tea, productId, inStock: n % 12 })
          : on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 1 })),
      ),
    );
    const { on_hand: onHand, reserved } = (await stockOf(on, productId))!;
    expect(reserved).toBeLessThanOrEqual(onHand);
    expect(new Set(results.flatMap(codesOf))).toSatisfy((codes: Set<string>) =>
      [...codes].every((code) =>
        ['OUT_OF_STOCK input items 0', 'STOCK_RESERVED input inStock'].includes(code),
      ),
    );
  });

  it('is the admin’s, and names every fault of its input', async () => {
    const head = await on.log.head();
    expect(codesOf(await on.commerce.saveProduct(alice, tea))).toEqual(['FORBIDDEN input productId']);
    const wrong = { productId: 'a b', name: ' ', unitPrice: '0', inStock: -1, commandId: '\n' };
    expect(codesOf(await on.commerce.saveProduct(root, wrong))).toEqual([
      'ID_INVALID input productId',
      'ID_INVALID input commandId',
      'NAME_INVALID input name',
      'AMOUNT_NOT_POSITIVE input unitPrice',
      'STOCK_INVALID input inStock',
    ]);
    for (const inStock of [0.5, 1_000_000_001, Number.NaN]) {
      expect(codesOf(await on.commerce.saveProduct(root, { ...tea, inStock }))).toEqual([
        'STOCK_INVALID input inStock',
      ]);
    }
    for (const name of ['x'.repeat(201), 'a\0', 'a\nb', '\ud800']) {
      expect(codesOf(await on.commerce.saveProduct(root, { ...tea, name }))).toEqual([
        'NAME_INVALID input name',
      ]);
    }
    expect(await on.log.head()).toBe(head);
  });

  it('sent again answers the first result, also where it would be refused by now', async () => {
    const productId = ids.next();
    const input = { ...tea, productId, inStock: 2, commandId: ids.next() };
    const first = await on.commerce.saveProduct(root, input);
    acceptedOf(await on.commerce.saveProduct(root, { ...tea, productId }));
    const customerId = await newCustomer(on);
    acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 3 })));
    expect(await on.commerce.saveProduct(root, input)).toEqual(first);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 10, reserved: 3 });
    expect(codesOf(await on.commerce.saveProduct(root, { ...input, inStock: 3 }))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
  });
});

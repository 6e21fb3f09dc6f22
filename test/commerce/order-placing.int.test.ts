import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCommerce } from '../../src/domains/commerce/index.js';
import { orderStream, readOrderEvent } from '../../src/domains/commerce/order/events.js';
import { productStream } from '../../src/domains/commerce/product/events.js';
import { systemClock } from '../../src/platform/clock.js';
import {
  acceptedOf,
  alice,
  bob,
  codesOf,
  messagesOf,
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

describe('an order', () => {
  it('is appended with its reservations at once, and holds stock and credit', async () => {
    const [customerId, tea, cup] = [
      await newCustomer(on),
      await newProduct(on),
      await newProduct(on, 5, '9'),
    ];
    const input = {
      ...orderOf(customerId, { [tea]: 2, [cup]: 1 }),
      items: [
        { productId: tea, quantity: 2, price: '2.5' },
        { productId: cup, quantity: 1, price: '9.00' },
        { productId: tea, quantity: 1, price: '2.50' },
      ],
    };
    const placed = acceptedOf(await on.commerce.placeOrder(alice, input));
    expect(placed.version).toBe(0);
    const [event, ...others] = await on.log.readStream(orderStream(placed.aggregateId));
    expect(others).toEqual([]);
    expect(readOrderEvent(event!)).toEqual({ type: event!.type, data: event!.data });
    expect(event).toMatchObject({
      type: 'OrderPlaced',
      data: {
        orderId: placed.aggregateId,
        customerId,
        ownerId: 'alice',
        items: [
          { productId: tea, productName: 'Tea', quantity: 2, unitPrice: '2.50', lineTotal: '5.00' },
          { productId: cup, productName: 'Tea', quantity: 1, unitPrice: '9.00', lineTotal: '9.00' },
          { productId: tea, productName: 'Tea', quantity: 1, unitPrice: '2.50', lineTotal: '2.50' },
        ],
        totalAmount: '16.50',
        shippingAddress: { street: null, city: 'Oxford', zip: 'OX1', country: null },
        version: 1,
      },
      metadata: { userId: 'alice', correlationId: 'story of alice' },
    });
    const reserved = (await on.log.readStream(productStream(tea))).at(-1)!;
    expect(reserved).toMatchObject({
      type: 'InventoryReserved',
      data: { orderId: placed.aggregateId, productId: tea, quantity: 3, version: 1 },
      metadata: event!.metadata,
    });
    expect(placed.position - event!.globalPosition).toBe(2);
    expect(await stockOf(on, tea)).toEqual({ on_hand: 10, reserved: 3 });
    expect(await stockOf(on, cup)).toEqual({ on_hand: 5, reserved: 1 });
    expect(await outstandingOf(on, customerId)).toBe(1650);
  });

  it('is refused by the first rule that it breaks, in the document’s order and words', async () => {
    const customerId = await newCustomer(on, '10');
    const productId = await newProduct(on, 5);
    const orderId = ids.next();
    acceptedOf(await on.commerce.placeOrder(alice, { ...orderOf(customerId, { [productId]: 1 }), orderId }));
    const head = await on.log.head();
    // Breaks every rule, and is put right one by one.
    const wrong = { ...orderOf(customerId, { [productId]: 5 }, '2.49'), orderId };
    const nobody = await on.commerce.placeOrder(bob, { ...wrong, customerId: 'nobody' });
    expect(codesOf(nobody)).toEqual(['CUSTOMER_NOT_FOUND input customerId']);
    expect(codesOf(await on.commerce.placeOrder(bob, wrong))).toEqual([
      'CUSTOMER_NOT_FOUND input customerId',
    ]);

    acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, isActive: false }));
    const inactive = await on.commerce.placeOrder(alice, wrong);
    expect(codesOf(inactive)).toEqual(['INACTIVE_CUSTOMER input customerId']);
    expect(messagesOf(inactive)).toEqual(['Inactive customer']);
    acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, isActive: true }));

    const unknown = { productId: 'unknown', quantity: 1, price: '1' };
    const dear = await on.commerce.placeOrder(alice, { ...wrong, items: [unknown, ...wrong.items] });
    expect(codesOf(dear)).toEqual([
      'PRODUCT_NOT_FOUND input items 0 productId',
      'PRICE_CHANGED input items 1 price',
    ]);
    expect(messagesOf(dear)[1]).toBe('The price is 2.50 USD');

    const right = { ...wrong, ...orderOf(customerId, { [productId]: 5 }) };
    const short = await on.commerce.placeOrder(alice, right);
    expect(codesOf(short)).toEqual(['OUT_OF_STOCK input items 0']);
    expect(messagesOf(short)).toEqual(['Out of stock']);

    const available = { ...wrong, ...orderOf(customerId, { [productId]: 4 }) };
    const poor = await on.commerce.placeOrder(alice, available);
    expect(codesOf(poor)).toEqual(['CREDIT_LIMIT_EXCEEDED input customerId']);
    expect(messagesOf(poor)).toEqual(['Credit limit exceeded']);

    const taken = await on.commerce.placeOrder(alice, {
      ...wrong,
      ...orderOf(customerId, { [productId]: 3 }),
    });
    expect(codesOf(taken)).toEqual(['ORDER_EXISTS input orderId']);
    expect(await on.log.head()).toBe(head + 2);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 5, reserved: 1 });
    expect(await outstandingOf(on, customerId)).toBe(250);
  });

  it('whose input is wrong is answered with all faults at once, and nothing is appended', async () => {
    const head = await on.log.head();
    const result = await on.commerce.placeOrder(alice, {
      orderId: 'an order',
      customerId: 'a'.repeat(256),
      items: [
        { productId: 'p', quantity: 0, price: '1' },
        { productId: 'p', quantity: 1_000_000_000, price: '0' },
        { productId: '', quantity: 1.5, price: '-1' },
        { productId: 'p', quantity: 1, price: '0.001' },
        { productId: 'p', quantity: 1, price: '90071992547409.92' },
      ],
      shippingAddress: { street: 's'.repeat(201), city: '', zip: 'a\0', country: '\ud800' },
      commandId: 'a b',
    });
    expect(codesOf(result)).toEqual([
      'ID_INVALID input orderId',
      'ID_INVALID input customerId',
      'ID_INVALID input commandId',
      'ADDRESS_INVALID input shippingAddress street',
      'ADDRESS_INVALID input shippingAddress city',
      'ADDRESS_INVALID input shippingAddress zip',
      'ADDRESS_INVALID input shippingAddress country',
      'QUANTITY_INVALID input items 0 quantity',
      'QUANTITY_INVALID input items 1 quantity',
      'AMOUNT_NOT_POSITIVE input items 1 price',
      'ID_INVALID input items 2 productId',
      'QUANTITY_INVALID input items 2 quantity',
      'AMOUNT_NOT_POSITIVE input items 2 price',
      'AMOUNT_TOO_PRECISE input items 3 price',
      'AMOUNT_TOO_LARGE input items 4 price',
    ]);
    const order = orderOf('c', { p: 100_000 }, '90071992547409.91');
    expect(codesOf(await on.commerce.placeOrder(alice, order))).toEqual(['AMOUNT_TOO_LARGE input items']);
    expect(codesOf(await on.commerce.placeOrder(alice, { ...order, items: [] }))).toEqual([
      'ITEMS_EMPTY input items',
    ]);
    const many = Array.from({ length: 101 }, () => order.items[0]!);
    expect(codesOf(await on.commerce.placeOrder(alice, { ...order, items: many }))).toEqual([
      'TOO_MANY_ITEMS input items',
    ]);
    expect(await on.log.head()).toBe(head);
  });

  it('of a hundred lines of one product reserves their sum once', async () => {
    const customerId = await newCustomer(on);
    const productId = await newProduct(on, 100);
    const items = Array.from({ length: 100 }, () => ({ productId, quantity: 1, price: '2.50' }));
    const { position } = acceptedOf(
      await on.commerce.placeOrder(alice, { ...orderOf(customerId, {}), items }),
    );
    expect(await on.log.head()).toBe(position);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 100, reserved: 100 });
    expect(codesOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 1 })))).toEqual([
      'OUT_OF_STOCK input items 0',
    ]);
  });
});

describe('an order’s commandId', () => {
  it('sent again answers the first result, also where the order would be refused by now', async () => {
    const customerId = await newCustomer(on);
    const productId = await newProduct(on, 4);
    const input = { ...orderOf(customerId, { [productId]: 3 }), commandId: ids.next() };
    const first = await on.commerce.placeOrder(alice, input);
    expect(first.ok).toBe(true);
    const head = await on.log.head();
    expect(await elsewhere.commerce.placeOrder(alice, input)).toEqual(first);
    acceptedOf(await on.commerce.setCustomerStatus(root, { customerId, isActive: false }));
    expect(await on.commerce.placeOrder(alice, input)).toEqual(first);
    expect(await on.log.head()).toBe(head + 1);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 4, reserved: 3 });
    const other = { ...input, ...orderOf(customerId, { [productId]: 1 }) };
    expect(codesOf(await on.commerce.placeOrder(alice, other))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
  });

  it('sent many times at once places one order', async () => {
    const customerId = await newCustomer(on);
    const productId = await newProduct(on);
    const named = { orderId: ids.next(), commandId: ids.next() };
    for (const id of [named, { commandId: ids.next() }]) {
      const input = { ...orderOf(customerId, { [productId]: 1 }), ...id };
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? on : elsewhere).commerce.placeOrder(alice, input)),
      );
      expect(new Set(results.map((result) => JSON.stringify(acceptedOf(result)))).size).toBe(1);
    }
    expect(await stockOf(on, productId)).toEqual({ on_hand: 10, reserved: 2 });
  });
});

describe('what changes between looking and appending', () => {
  /** Commerce in which something happens once, right after an order's facts were read. */
  function interrupted(happens: () => Promise<unknown>) {
    let looks = 0;
    const postgres: typeof on.postgres = {
      ...on.postgres,
      async query(statement, values) {
        const answer = await on.postgres.query(statement, values);
        if (typeof statement !== 'string' && statement.name === 'facts.readPlacingFacts') {
          looks += 1;
          if (looks === 1) await happens();
        }
        return answer as never;
      },
    };
    const { placeOrder } = createCommerce({ postgres, log: on.log, ids, clock: systemClock });
    return { placeOrder, looks: () => looks };
  }

  it('is decided on again where it was a name or a price', async () => {
    const customerId = await newCustomer(on);
    const productId = await newProduct(on);
    const save = (name: string, unitPrice: string) => async () =>
      acceptedOf(await elsewhere.commerce.saveProduct(root, { productId, name, unitPrice, inStock: 10 }));
    const renamed = interrupted(save('Green tea', '2.50'));
    const { aggregateId } = acceptedOf(
      await renamed.placeOrder(alice, orderOf(customerId, { [productId]: 1 })),
    );
    expect(renamed.looks()).toBe(2);
    expect((await on.log.readStream(orderStream(aggregateId)))[0]?.data).toMatchObject({
      items: [{ productName: 'Green tea' }],
    });
    const dearer = interrupted(save('Green tea', '2.60'));
    expect(codesOf(await dearer.placeOrder(alice, orderOf(customerId, { [productId]: 1 })))).toEqual([
      'PRICE_CHANGED input items 0 price',
    ]);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 10, reserved: 1 });
  });

  it('is refused as if it had been seen at once, where it was status, stock, credit or the order id', async () => {
    const productId = await newProduct(on, 6);
    const other = await newProduct(on, 100);
    const customerId = await newCustomer(on, '20');
    const place = (quantities: Record<string, number>, orderId?: string) => async () =>
      acceptedOf(await elsewhere.commerce.placeOrder(alice, { ...orderOf(customerId, quantities), orderId }));
    const items = { [other]: 1, [productId]: 5 };
    const sold = interrupted(place({ [productId]: 2 }));
    const short = await sold.placeOrder(alice, orderOf(customerId, items));
    expect([codesOf(short), messagesOf(short)]).toEqual([['OUT_OF_STOCK input items 1'], ['Out of stock']]);
    expect(sold.looks()).toBe(1);

    const spent = await interrupted(place({ [other]: 3 })).placeOrder(
      alice,
      orderOf(customerId, { [other]: 4 }),
    );
    expect(codesOf(spent)).toEqual(['CREDIT_LIMIT_EXCEEDED input customerId']);
    expect(messagesOf(spent)).toEqual(['Credit limit exceeded']);

    const orderId = ids.next();
    const taken = await interrupted(place({ [other]: 1 }, orderId)).placeOrder(alice, {
      ...orderOf(customerId, { [other]: 1 }),
      orderId,
    });
    expect(codesOf(taken)).toEqual(['ORDER_EXISTS input orderId']);

    const locked = interrupted(async () =>
      acceptedOf(await elsewhere.commerce.setCustomerStatus(root, { customerId, isActive: false })),
    );
    const inactive = await locked.placeOrder(alice, orderOf(customerId, { [other]: 1 }));
    expect(codesOf(inactive)).toEqual(['INACTIVE_CUSTOMER input customerId']);
    expect(messagesOf(inactive)).toEqual(['Inactive customer']);
    expect(await stockOf(on, other)).toEqual({ on_hand: 100, reserved: 4 });
    expect(await outstandingOf(on, customerId)).toBe(1500);
  });
});

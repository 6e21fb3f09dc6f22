import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderStream, readOrderEvent } from '../../src/domains/commerce/order/events.js';
import { productStream } from '../../src/domains/commerce/product/events.js';
import {
  acceptedOf,
  alice,
  bob,
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
let customerId: string;
let productId: string;

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});

/** Three of ten, for 7.50. */
async function placed(): Promise<string> {
  customerId = await newCustomer(on);
  productId = await newProduct(on);
  return acceptedOf(await on.commerce.placeOrder(alice, orderOf(customerId, { [productId]: 3 }))).aggregateId;
}
const typesOf = async (streamId: string) => (await on.log.readStream(streamId)).map(({ type }) => type);

describe('shipping', () => {
  it('takes the order off the shelf; what it costs is still owed', async () => {
    const orderId = await placed();
    const shipped = acceptedOf(await on.commerce.shipOrder(root, { orderId, trackingNumber: '1Z' }));
    expect(shipped).toMatchObject({ aggregateId: orderId, version: 1, position: await on.log.head() });
    expect(await stockOf(on, productId)).toEqual({ on_hand: 7, reserved: 0 });
    expect(await outstandingOf(on, customerId)).toBe(750);
    const event = (await on.log.readStream(orderStream(orderId)))[1]!;
    expect(readOrderEvent(event).data).toMatchObject({ orderId, trackingNumber: '1Z', version: 1 });
    expect(await typesOf(productStream(productId))).toEqual([
      'ProductSaved',
      'InventoryReserved',
      'InventoryShipped',
    ]);
  });

  it('is the admin’s, happens once, and not to a cancelled order', async () => {
    const orderId = await placed();
    const ship = (caller = root, id = orderId) =>
      on.commerce.shipOrder(caller, { orderId: id, trackingNumber: '1Z' });
    expect(codesOf(await ship(alice))).toEqual(['FORBIDDEN input orderId']);
    expect(codesOf(await ship(root, 'none'))).toEqual(['ORDER_NOT_FOUND input orderId']);
    acceptedOf(await ship());
    expect(codesOf(await ship())).toEqual(['ORDER_SHIPPED input orderId']);
    acceptedOf(await on.commerce.cancelOrder(alice, { orderId, reason: 'late' }));
    expect(codesOf(await ship())).toEqual(['ORDER_CANCELLED input orderId']);
  });
});

describe('cancelling', () => {
  it('releases the stock and the balance', async () => {
    const orderId = await placed();
    acceptedOf(await on.commerce.cancelOrder(alice, { orderId, reason: 'changed my mind' }));
    expect(await stockOf(on, productId)).toEqual({ on_hand: 10, reserved: 0 });
    expect(await outstandingOf(on, customerId)).toBe(0);
    const event = (await on.log.readStream(orderStream(orderId)))[1]!;
    expect(readOrderEvent(event).data).toMatchObject({
      orderId,
      customerId,
      totalAmount: '7.50',
      reason: 'changed my mind',
    });
    expect(await typesOf(productStream(productId))).toEqual([
      'ProductSaved',
      'InventoryReserved',
      'InventoryReleased',
    ]);
  });

  it('of a shipped order releases the balance only, also below zero where it was paid', async () => {
    const orderId = await placed();
    acceptedOf(await on.commerce.recordPayment(root, { customerId, amount: '7.50' }));
    acceptedOf(await on.commerce.shipOrder(root, { orderId, trackingNumber: '1Z' }));
    acceptedOf(await on.commerce.cancelOrder(root, { orderId, reason: 'broken' }));
    expect(await stockOf(on, productId)).toEqual({ on_hand: 7, reserved: 0 });
    expect(await outstandingOf(on, customerId)).toBe(-750);
    expect(await typesOf(productStream(productId))).not.toContain('InventoryReleased');
  });

  it('is for the owner and admins, and happens once', async () => {
    const orderId = await placed();
    const cancel = (caller = alice, id = orderId) =>
      on.commerce.cancelOrder(caller, { orderId: id, reason: 'x' });
    expect(codesOf(await cancel(bob))).toEqual(['ORDER_NOT_FOUND input orderId']);
    expect(codesOf(await cancel(alice, 'none'))).toEqual(['ORDER_NOT_FOUND input orderId']);
    acceptedOf(await cancel(root));
    expect(codesOf(await cancel())).toEqual(['ORDER_CANCELLED input orderId']);
    expect(codesOf(await cancel(bob))).toEqual(['ORDER_NOT_FOUND input orderId']);
  });

  it('and shipping at the same time, from two processes, leave one order of events and the right stock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const orderId = await placed();
      const [shipped, cancelled, again] = await Promise.all([
        on.commerce.shipOrder(root, { orderId, trackingNumber: '1Z' }),
        elsewhere.commerce.cancelOrder(alice, { orderId, reason: 'x' }),
        on.commerce.cancelOrder(alice, { orderId, reason: 'y' }),
      ]);
      expect([cancelled, again].filter(({ ok }) => ok)).toHaveLength(1);
      expect(await stockOf(on, productId)).toEqual({ on_hand: shipped.ok ? 7 : 10, reserved: 0 });
      expect(await outstandingOf(on, customerId)).toBe(0);
    }
  });

  it('sent again answers the first result', async () => {
    const orderId = await placed();
    const input = { orderId, reason: 'x', commandId: ids.next() };
    const first = await on.commerce.cancelOrder(alice, input);
    expect(first.ok).toBe(true);
    expect(await elsewhere.commerce.cancelOrder(alice, input)).toEqual(first);
    expect(codesOf(await on.commerce.cancelOrder(alice, { ...input, reason: 'y' }))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
    expect(await stockOf(on, productId)).toEqual({ on_hand: 10, reserved: 0 });
  });
});

it('names every fault of the input and appends nothing', async () => {
  const head = await on.log.head();
  const ids = { orderId: '-', commandId: '' };
  for (const trackingNumber of ['', 'a b', 'a\0', 'x'.repeat(101)]) {
    expect(codesOf(await on.commerce.shipOrder(root, { ...ids, trackingNumber }))).toEqual([
      'ID_INVALID input orderId',
      'ID_INVALID input commandId',
      'TRACKING_NUMBER_INVALID input trackingNumber',
    ]);
  }
  for (const reason of ['', 'a\0', '\udfff', 'x'.repeat(501)]) {
    expect(codesOf(await on.commerce.cancelOrder(root, { orderId: 'o', reason }))).toEqual([
      'REASON_INVALID input reason',
    ]);
  }
  expect(await on.log.head()).toBe(head);
});

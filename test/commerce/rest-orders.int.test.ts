import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { line, openRestShop, order, type RestShop } from './rest-shop.js';

let shop: RestShop;

beforeAll(async () => {
  shop = await openRestShop();
});
afterAll(() => shop?.rest.close());

describe('an order over REST', () => {
  it('is placed, shown with every field of the document, and shipped', async () => {
    const { alice, admin, place } = shop;
    const id = await place({
      orderId: 'order-1',
      items: [line('tea', 3, '4.50')],
      shippingAddress: { street: '1 Folly Bridge', city: 'Oxford', zip: 'OX1', country: 'GB' },
    });
    expect(id).toBe('order-1');
    const placed = await alice.get('orders/order-1?after_version=0');
    expect([placed.status, placed.type]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(placed.text).toContain('"unitPrice":4.50,"lineTotal":13.50}');
    expect(placed.text).toContain('"totalAmount":13.50,');
    expect(placed.body).toEqual({
      orderId: 'order-1',
      customerName: 'Alice Liddell',
      customerEmail: 'alice@example.com',
      status: 'CONFIRMED',
      items: [{ productId: 'tea', productName: 'Tea', quantity: 3, unitPrice: 4.5, lineTotal: 13.5 }],
      totalAmount: 13.5,
      shippingAddress: expect.stringMatching(/1 Folly Bridge.*Oxford.*OX1.*GB/),
      estimatedDelivery: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      placedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.+Z$/),
      trackingNumber: null,
      shippedAt: null,
      cancelledAt: null,
      cancellationReason: null,
      version: 0,
    });

    const shipped = await admin.post('orders/order-1/ship', { trackingNumber: '1Z999' });
    expect([shipped.status, shipped.body]).toEqual([201, { version: 1 }]);
    expect((await alice.get('orders/order-1?after_version=1')).body).toMatchObject({
      status: 'SHIPPED',
      trackingNumber: '1Z999',
      shippedAt: expect.stringMatching(/Z$/),
      version: 1,
    });
  });

  it('is cancelled, and not shipped after that', async () => {
    const { alice, admin, place } = shop;
    const id = await place();
    const cancelled = await alice.post(`orders/${id}/cancel`, { reason: 'too late' });
    expect([cancelled.status, cancelled.body]).toEqual([201, { version: 1 }]);
    expect((await alice.get(`orders/${id}?after_version=1`)).body).toMatchObject({
      status: 'CANCELLED',
      cancellationReason: 'too late',
      cancelledAt: expect.stringMatching(/Z$/),
    });
    expect(await admin.post(`orders/${id}/ship`, { trackingNumber: '1Z999' })).toMatchObject({
      status: 422,
      body: { error: { code: 'ORDER_CANCELLED' } },
    });
  });

  it('is placed once under one Idempotency-Key, and a repeat answers the same generated id', async () => {
    const { alice } = shop;
    const key = { 'idempotency-key': 'key-1' };
    const first = await alice.post('orders', order(), key);
    expect(first).toMatchObject({ status: 201, body: { version: 0 } });
    expect((await alice.post('orders', order(), key)).body).toEqual(first.body);
    const other = await alice.post('orders', order({ items: [line('tea', 1, 4.5)] }), key);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'COMMAND_ID_REUSED' } } });
  });

  it('is shown to its owner and to admins', async () => {
    const { rest, alice, bob, admin, place } = shop;
    const id = await place();
    expect(await alice.get(`orders/${id}?after_version=0`)).toMatchObject({ status: 200 });
    expect(await admin.get(`orders/${id}`)).toMatchObject({ status: 200 });
    expect(await bob.get(`orders/${id}`)).toMatchObject({ status: 404 });
    expect(await rest.anonymous.get(`orders/${id}`)).toMatchObject({ status: 401 });
    expect(await alice.get('orders/nowhere')).toMatchObject({
      status: 404,
      body: { error: { code: 'NOT_FOUND', path: null } },
    });
  });

  it('is refused for a body of the wrong shape, with the path of the field', async () => {
    const { alice } = shop;
    const malformed: [body: object, path: string[] | null][] = [
      [order({ type: undefined }), ['type']],
      [order({ type: 'ShipOrder' }), ['type']],
      [order({ customerId: 7 }), ['customerId']],
      [order({ items: 'tea' }), ['items']],
      [order({ items: [line('tea', 'two', 4.5)] }), ['items', '0', 'quantity']],
      [order({ items: [line('tea', 1, 4.5), line('tea', 1.5, 4.5)] }), ['items', '1', 'quantity']],
      [order({ items: [line('tea', 1, 'cheap')] }), ['items', '0', 'price']],
      [order({ shippingAddress: { city: 'Oxford' } }), ['shippingAddress', 'zip']],
      [
        order({ shippingAddress: { city: 'Oxford', zip: 'OX1', planet: 'Mars' } }),
        ['shippingAddress', 'planet'],
      ],
    ];
    for (const [body, path] of malformed) {
      expect(await alice.post('orders', body)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_USER_INPUT', path } },
      });
    }
  });

  it('is refused for what it asks, with the document’s words', async () => {
    const { alice, bob, admin, place } = shop;
    const refusals: [change: object, status: number, error: { code: string; message?: string }][] = [
      [{ customerId: 'cust-idle' }, 422, { code: 'INACTIVE_CUSTOMER', message: 'Inactive customer' }],
      [{ items: [line('rare', 2, 90)] }, 422, { code: 'OUT_OF_STOCK', message: 'Out of stock' }],
      [
        { items: [line('pot', 2, 900)] },
        422,
        { code: 'CREDIT_LIMIT_EXCEEDED', message: 'Credit limit exceeded' },
      ],
      [{ items: [line('tea', 1, 4.4)] }, 422, { code: 'PRICE_CHANGED' }],
      [{ items: [line('gone', 1, 1)] }, 422, { code: 'PRODUCT_NOT_FOUND' }],
      [{ customerId: 'nobody' }, 422, { code: 'CUSTOMER_NOT_FOUND' }],
      [{ items: [] }, 400, { code: 'ITEMS_EMPTY' }],
      [{ items: [line('tea', 0, 4.5)] }, 400, { code: 'QUANTITY_INVALID' }],
      [{ items: [line('tea', 1e9, 4.5)] }, 400, { code: 'QUANTITY_INVALID' }],
      [{ shippingAddress: { city: ' ', zip: 'OX1' } }, 400, { code: 'ADDRESS_INVALID' }],
      [{ orderId: 'x'.repeat(256) }, 400, { code: 'ID_INVALID' }],
    ];
    for (const [change, status, error] of refusals) {
      expect(await alice.post('orders', order(change))).toMatchObject({ status, body: { error } });
    }
    expect(await bob.post('orders', order())).toMatchObject({ status: 422 });
    const id = await place();
    expect(await alice.post('orders', order({ orderId: id }))).toMatchObject({
      status: 409,
      body: { error: { code: 'ORDER_EXISTS' } },
    });
    expect(await alice.post(`orders/${id}/ship`, { trackingNumber: '1Z' })).toMatchObject({ status: 403 });
    expect(await admin.post(`orders/${id}/ship`, {})).toMatchObject({
      status: 400,
      body: { error: { path: ['trackingNumber'] } },
    });
    expect(await alice.post(`orders/${id}/cancel`, { reason: '' })).toMatchObject({
      status: 400,
      body: { error: { code: 'REASON_INVALID', path: ['reason'] } },
    });
    expect(await alice.post('orders/nowhere/cancel', { reason: 'no' })).toMatchObject({
      status: 404,
      body: { error: { code: 'ORDER_NOT_FOUND' } },
    });
  });
});

describe('an order of too many items over REST', () => {
  it('is refused by their number, before the rest of them is looked at', async () => {
    const { alice } = shop;
    const given = [
      ...Array.from({ length: 101 }, () => line('tea', 1, 4.5)),
      ...Array(24_000).fill('no item'),
    ];
    expect(await alice.post('orders', order({ items: given }))).toMatchObject({
      status: 400,
      body: { error: { code: 'TOO_MANY_ITEMS', path: ['items'] } },
    });
    const wrong = [line('tea', 1, 4.5), line('tea', 'one', 4.5)];
    expect(await alice.post('orders', order({ items: wrong }))).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_USER_INPUT', path: ['items', '1', 'quantity'] } },
    });
    expect(await alice.get('orders/any?afterVersion=0')).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_USER_INPUT', path: ['afterVersion'] } },
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerNamed } from './with-commerce.js';
import { openRest, type RestClient, type RestOnTest } from './with-rest.js';

let rest: RestOnTest;
let alice: RestClient;
let bob: RestClient;
let admin: RestClient;

beforeAll(async () => {
  rest = await openRest();
  [alice, bob, admin] = await Promise.all([rest.as('alice'), rest.as('bob'), rest.as('root', 'admin')]);
  const { commerce } = rest.on;
  const root = callerNamed('root', 'admin');
  await commerce.registerCustomer(callerNamed('alice'), {
    customerId: 'cust-alice',
    firstName: 'Alice',
    lastName: 'Liddell',
    email: 'alice@example.com',
  });
  await commerce.registerCustomer(callerNamed('alice'), {
    customerId: 'cust-idle',
    firstName: 'Alice',
    lastName: '',
    email: 'alice@example.com',
  });
  await commerce.setCustomerStatus(root, { customerId: 'cust-idle', isActive: false });
  await commerce.saveProduct(root, { productId: 'tea', name: 'Tea', unitPrice: '4.50', inStock: 1_000 });
  await commerce.saveProduct(root, { productId: 'rare', name: 'Rare tea', unitPrice: '90', inStock: 1 });
  await commerce.saveProduct(root, { productId: 'pot', name: 'Teapot', unitPrice: '900', inStock: 5 });
});
afterAll(() => rest?.close());

const line = (productId: string, quantity: unknown, price: unknown) => ({ productId, quantity, price });
const order = (change: object = {}) => ({
  type: 'PlaceOrder',
  customerId: 'cust-alice',
  items: [line('tea', 2, 4.5)],
  shippingAddress: { city: 'Oxford', zip: 'OX1' },
  ...change,
});
async function place(change: object = {}): Promise<string> {
  const placed = await alice.post('orders', order(change));
  expect(placed).toMatchObject({ status: 201, body: { version: 0 } });
  return (placed.body as { orderId: string }).orderId;
}

async function newAccount(user = 'alice', currency = 'USD'): Promise<string> {
  const created = await rest.on.commerce.createAccount(callerNamed(user), { currency });
  return created.ok ? created.value.aggregateId : '';
}

describe('an order over REST', () => {
  it('is placed, shown with every field of the document, and shipped', async () => {
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
    const key = { 'idempotency-key': 'key-1' };
    const first = await alice.post('orders', order(), key);
    expect(first).toMatchObject({ status: 201, body: { version: 0 } });
    expect((await alice.post('orders', order(), key)).body).toEqual(first.body);
    const other = await alice.post('orders', order({ items: [line('tea', 1, 4.5)] }), key);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'COMMAND_ID_REUSED' } } });
  });

  it('is shown to its owner and to admins', async () => {
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

describe('a transfer over REST', () => {
  it('is accepted, and its status can be read', async () => {
    const [from, to] = [await newAccount(), await newAccount('bob')];
    await alice.post(`accounts/${from}/deposit`, { amount: 50 });
    const accepted = await alice.post(`accounts/${from}/transfer`, {
      toAccountId: to,
      amount: 20.1,
      description: 'rent',
    });
    expect(accepted).toMatchObject({ status: 202, body: { transferId: expect.any(String), version: 0 } });
    const { transferId } = accepted.body as { transferId: string };
    await rest.on.commerce.advanceTransfer(transferId);
    const shown = await alice.get(`transfers/${transferId}?after_version=2`);
    expect(shown.text).toContain('"amount":20.10,');
    expect(shown).toMatchObject({
      status: 200,
      body: { transferId, fromAccountId: from, toAccountId: to, status: 'COMPLETED', description: 'rent' },
    });
    expect(await rest.anonymous.get(`transfers/${transferId}`)).toMatchObject({ status: 401 });
    expect(await alice.get('transfers/nowhere')).toMatchObject({ status: 404 });
  });

  it('is refused for what it asks, with nothing moved', async () => {
    const [from, euros, others] = [
      await newAccount(),
      await newAccount('alice', 'EUR'),
      await newAccount('bob'),
    ];
    const refusals: [from: string, body: object, status: number, code: string, path: string[]][] = [
      [from, { amount: 1 }, 400, 'BAD_USER_INPUT', ['toAccountId']],
      [from, { toAccountId: from, amount: 1 }, 400, 'TRANSFER_TO_SELF', ['toAccountId']],
      [from, { toAccountId: others, amount: 1 }, 422, 'INSUFFICIENT_FUNDS', ['amount']],
      [from, { toAccountId: euros, amount: 1 }, 422, 'CURRENCY_MISMATCH', ['toAccountId']],
      [from, { toAccountId: 'nowhere', amount: 1 }, 422, 'ACCOUNT_NOT_FOUND', ['toAccountId']],
      ['nowhere', { toAccountId: from, amount: 1 }, 404, 'ACCOUNT_NOT_FOUND', ['fromAccountId']],
      [others, { toAccountId: from, amount: 1 }, 404, 'ACCOUNT_NOT_FOUND', ['fromAccountId']],
    ];
    for (const [source, body, status, code, path] of refusals) {
      expect(await alice.post(`accounts/${source}/transfer`, body)).toMatchObject({
        status,
        body: { error: { code, path } },
      });
    }
    expect((await rest.on.log.readStream(`Account-${from}`)).length).toBe(1);
  });
});

describe('what belongs to somebody else', () => {
  it('answers to the byte as what there is not, whatever is asked of it', async () => {
    const account = await newAccount();
    const target = await newAccount('bob');
    await alice.post(`accounts/${account}/deposit`, { amount: 5 });
    const started = await alice.post(`accounts/${account}/transfer`, { toAccountId: target, amount: 1 });
    const { transferId } = started.body as { transferId: string };
    const orderId = await place();
    await Promise.all([
      alice.get(`accounts/${account}/summary?after_version=1`),
      alice.get(`transfers/${transferId}?after_version=0`),
      alice.get(`orders/${orderId}?after_version=0`),
    ]);
    const accountIsAsked: [method: 'get' | 'post', of: string, body?: object][] = [
      ['get', '/summary'],
      ['get', '/summary?after_version=-1'],
      ['get', '/summary?as_of=2020-01-01T00:00:00Z'],
      ['get', '/summary?as_of=2999-01-01T00:00:00Z'],
      ['get', '/audit'],
      ['get', '/audit?after=nonsense'],
      ['post', '/deposit', { amount: 1 }],
      ['post', '/deposit', { amount: 0 }],
      ['post', '/deposit', { amount: 1, currency: 'EUR' }],
      ['post', '/deposit', { amount: 1, expectedVersion: 7 }],
      ['post', '/withdraw', { amount: 1_000 }],
      ['post', '/transfer', { toAccountId: target, amount: 1 }],
      ['post', '/transfer', { toAccountId: 'elsewhere', amount: 0 }],
    ];
    const asked = [
      ...accountIsAsked.map(([method, of, body]) => [method, 'accounts', account, of, body] as const),
      ['get', 'transfers', transferId, '', undefined],
      ['get', 'orders', orderId, '', undefined],
      ['post', 'orders', orderId, '/cancel', { reason: 'mine' }],
      ['post', 'orders', orderId, '/ship', { trackingNumber: 'T' }],
    ] as const;
    for (const [method, things, id, of, body] of asked) {
      const ask = (one: string) =>
        method === 'get' ? bob.get(`${things}/${one}${of}`) : bob.post(`${things}/${one}${of}`, body!);
      expect(await ask(id), `${method} ${things}${of}`).toEqual(await ask('nowhere'));
    }
    const customers = ['cust-alice', 'cust-idle', 'nobody'].map((customerId) =>
      bob.post('orders', order({ customerId })),
    );
    const [known, idle, unknown] = await Promise.all(customers);
    expect([known, idle]).toEqual([unknown, unknown]);
  });
});

describe('an order of too many items over REST', () => {
  it('is refused by their number, before the rest of them is looked at', async () => {
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

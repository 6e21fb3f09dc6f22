import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRestShop, order, type RestShop } from './rest-shop.js';

let shop: RestShop;

beforeAll(async () => {
  shop = await openRestShop();
});
afterAll(() => shop?.rest.close());

describe('a transfer over REST', () => {
  it('is accepted, and its status can be read', async () => {
    const { rest, alice, newAccount } = shop;
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
    const { rest, alice, newAccount } = shop;
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
    const { alice, bob, place, newAccount } = shop;
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

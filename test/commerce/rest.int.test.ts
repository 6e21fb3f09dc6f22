import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerNamed } from './with-commerce.js';
import { openRest, type RestClient, type RestOnTest } from './with-rest.js';

let rest: RestOnTest;
let alice: RestClient;
let bob: RestClient;

beforeAll(async () => {
  rest = await openRest();
  [alice, bob] = await Promise.all([rest.as('alice'), rest.as('bob')]);
});
afterAll(() => rest?.close());

const newAccount = async (): Promise<string> => {
  const created = await rest.on.commerce.createAccount(callerNamed('alice'), { currency: 'USD' });
  return created.ok ? created.value.aggregateId : '';
};

describe('accounts over REST', () => {
  it('move money and show it, with the exact digits of every number', async () => {
    const id = await newAccount();
    const deposited = await alice.post(`accounts/${id}/deposit`, {
      amount: 12.5,
      currency: 'USD',
      description: 'pay',
    });
    expect([deposited.status, deposited.body]).toEqual([201, { version: 1 }]);
    await alice.post(`accounts/${id}/deposit`, { amount: '90071992547397.41' });
    const withdrawn = await alice.post(`accounts/${id}/withdraw`, { amount: 0.1 });
    expect(withdrawn.body).toEqual({ version: 3 });

    const shown = await alice.get(`accounts/${id}/summary?after_version=3`);
    expect([shown.status, shown.type]).toEqual([200, expect.stringMatching(/^application\/json/)]);
    expect(shown.text).toContain('"balance":90071992547409.81,');
    expect(shown.text).toContain('"desc":"pay","amount":12.50}');
    expect(shown.body).toMatchObject({
      accountId: id,
      version: 3,
      recentTransactions: [{ desc: 'Withdrawal', amount: -0.1 }, { desc: 'Deposit' }, { desc: 'pay' }],
    });
  });

  it('answer each refusal with its status, code and the field at fault', async () => {
    const id = await newAccount();
    type Refusal = [to: string, body: object, status: number, code: string, field: string[] | null];
    const refusals: Refusal[] = [
      [`${id}/deposit`, {}, 400, 'BAD_USER_INPUT', ['amount']],
      [`${id}/deposit`, { amount: 'ten' }, 400, 'BAD_USER_INPUT', ['amount']],
      [`${id}/deposit`, { amount: 1, expectedVersion: 'x' }, 400, 'BAD_USER_INPUT', ['expectedVersion']],
      [`${id}/deposit`, { amount: 1, comandId: 'typo' }, 400, 'BAD_USER_INPUT', ['comandId']],
      [`${id}/deposit`, { amount: 0 }, 400, 'AMOUNT_NOT_POSITIVE', ['amount']],
      [`${id}/deposit`, { amount: 1, commandId: ' ' }, 400, 'ID_INVALID', ['commandId']],
      ['unknown/deposit', { amount: 1 }, 404, 'ACCOUNT_NOT_FOUND', ['accountId']],
      [`${id}/deposit`, { amount: 1, expectedVersion: 9 }, 409, 'VERSION_CONFLICT', ['expectedVersion']],
      [`${id}/withdraw`, { amount: 1 }, 422, 'INSUFFICIENT_FUNDS', ['amount']],
      [`${id}/deposit`, { amount: 1, currency: 'EUR' }, 422, 'CURRENCY_MISMATCH', ['currency']],
    ];
    for (const [to, body, status, code, path] of refusals) {
      expect(await alice.post(`accounts/${to}`, body)).toMatchObject({
        status,
        body: { error: { code, path } },
      });
    }
    expect(await rest.anonymous.post(`accounts/${id}/deposit`, { amount: 1 })).toMatchObject({
      status: 401,
      body: { error: { code: 'UNAUTHENTICATED', path: null } },
    });
    expect(await bob.post(`accounts/${id}/deposit`, { amount: 1 })).toMatchObject({
      status: 404,
      body: { error: { code: 'ACCOUNT_NOT_FOUND', path: ['accountId'] } },
    });
    expect((await rest.on.log.readStream(`Account-${id}`)).length).toBe(1);
  });

  it('take the command’s name as their type, and no other', async () => {
    const id = await newAccount();
    expect(await alice.post(`accounts/${id}/deposit`, { type: 'Deposit', amount: 1 })).toMatchObject({
      status: 201,
    });
    expect(await alice.post(`accounts/${id}/deposit`, { type: 'Withdraw', amount: 1 })).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_USER_INPUT', path: ['type'] } },
    });
  });

  it('refuse a number that parsing would round, and take it as a string', async () => {
    const id = await newAccount();
    for (const amount of ['0.99999999999999999999', '9007199254740993', '12345678901234.5613']) {
      expect(await alice.post(`accounts/${id}/deposit`, `{"amount":${amount}}`)).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'BAD_USER_INPUT',
            message: 'A number that would be rounded must come as a string',
            path: null,
          },
        },
      });
    }
    expect((await rest.on.log.readStream(`Account-${id}`)).length).toBe(1);
    const deposited = await alice.post(`accounts/${id}/deposit`, '{"amount":"12345678901234.56"}');
    expect(deposited.body).toEqual({ version: 1 });
  });

  it.each([
    ['summary?asOf=2026-01-01T00:00:00Z', 'asOf'],
    ['summary?after_version=0&afterVersion=9', 'afterVersion'],
    ['audit?last=3', 'last'],
  ])('refuse a parameter that they do not know: %s', async (asked, path) => {
    const id = await newAccount();
    expect(await alice.get(`accounts/${id}/${asked}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_USER_INPUT', path: [path] } },
    });
  });

  it('show a summary to its owner alone', async () => {
    const id = await newAccount();
    expect(await alice.get(`accounts/${id}/summary?after_version=0`)).toMatchObject({ status: 200 });
    expect(await bob.get(`accounts/${id}/summary`)).toMatchObject({ status: 404 });
    expect(await alice.get('accounts/unknown/summary')).toMatchObject({ status: 404 });
    expect(await alice.get(`accounts/${id}/summary?after_version=soon`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_USER_INPUT', path: ['after_version'] } },
    });
  });

  it('take the header Idempotency-Key for the command’s id', async () => {
    const id = await newAccount();
    const once = { 'idempotency-key': 'once' };
    const deposit = (body: object) => alice.post(`accounts/${id}/deposit`, body, once);
    expect(await deposit({ amount: 5 })).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await deposit({ amount: 5 })).toMatchObject({ status: 201, body: { version: 1 } });
    expect(await deposit({ amount: 6 })).toMatchObject({
      status: 409,
      body: { error: { code: 'COMMAND_ID_REUSED', path: ['commandId'] } },
    });
    expect(await deposit({ amount: 6, commandId: 'other' })).toMatchObject({ body: { version: 2 } });
  });
});

describe('the past of an account over REST', () => {
  it('counts with the limit of the query `account`, and is refused beyond it; the present counts with none', async () => {
    const id = await newAccount();
    await alice.post(`accounts/${id}/deposit`, { amount: 5 });
    const [, deposited] = await rest.on.log.readStream(`Account-${id}`);
    const past = `accounts/${id}/summary?as_of=${deposited!.createdAt.toISOString()}`;
    rest.fields.asked.length = 0;
    expect((await alice.get(past)).status).toBe(200);
    expect(rest.fields.asked).toEqual(['Query.account u:alice']);
    rest.fields.waitMs = 4_000;
    expect(await alice.get(past)).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit: 600, retry_after: 4 } },
      limits: {
        'retry-after': '4',
        'x-ratelimit-limit': '600',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-policy': '600;w=60',
        ratelimit: '"field";r=0;t=4',
      },
    });
    expect((await alice.get(`accounts/${id}/summary?after_version=1`)).status).toBe(200);
    rest.fields.waitMs = null;
  });

  it('is the account as it was at a moment', async () => {
    const id = await newAccount();
    await alice.post(`accounts/${id}/deposit`, { amount: 5 });
    const [created, deposited] = await rest.on.log.readStream(`Account-${id}`);
    const at = (moment: Date) => alice.get(`accounts/${id}/summary?as_of=${moment.toISOString()}`);
    expect((await at(deposited!.createdAt)).text).toContain('"balance":5.00,');
    const before = new Date(created!.createdAt.getTime() - 1);
    expect(await at(before)).toMatchObject({
      status: 404,
      body: { error: { code: 'AS_OF_TOO_EARLY', path: ['as_of'] } },
    });
  });

  it.each([
    ['as_of=yesterday', 'BAD_USER_INPUT'],
    ['as_of=2026-01-01T00:00:00+01:00', 'BAD_USER_INPUT'],
    ['as_of=2026-02-30T00:00:00Z', 'BAD_USER_INPUT'],
    ['as_of=2026-01-01T00:00:00Z&as_of=2026-01-01T00:00:00Z', 'BAD_USER_INPUT'],
    ['as_of=2026-01-01T00:00:00Z&after_version=1', 'BAD_USER_INPUT'],
    ['as_of=2999-01-01T00:00:00%2B01:00', 'AS_OF_IN_FUTURE'],
  ])('is refused for %s', async (query, code) => {
    expect(await alice.get(`accounts/${await newAccount()}/summary?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code, path: ['as_of'] } },
    });
  });

  it('is listed with the document’s columns, page by page', async () => {
    const id = await newAccount();
    await alice.post(
      `accounts/${id}/deposit`,
      { amount: 5, description: 'pay' },
      { 'x-correlation-id': 'story-1' },
    );
    await alice.post(`accounts/${id}/withdraw`, { amount: 2 });
    const first = await alice.get(`accounts/${id}/audit?first=2`);
    expect(first.text).toContain('"amount":5.00,');
    expect(first).toMatchObject({
      status: 200,
      body: {
        entries: [
          { event_type: 'AccountCreated', amount: null, description: null, stream_position: 0 },
          {
            event_type: 'MoneyDeposited',
            amount: 5,
            description: 'pay',
            performed_by: 'alice',
            transaction_id: 'story-1',
            created_at: expect.stringMatching(/^\d{4}-.+Z$/),
            stream_position: 1,
          },
        ],
        has_next_page: true,
      },
    });
    const { end_cursor: after } = first.body as { end_cursor: string };
    expect((await alice.get(`accounts/${id}/audit?after=${after}`)).body).toMatchObject({
      entries: [{ event_type: 'MoneyWithdrawn', amount: 2, stream_position: 2 }],
      has_next_page: false,
    });
  });

  it('is listed to nobody else, and in pages of 1 to 100', async () => {
    const id = await newAccount();
    expect(await bob.get(`accounts/${id}/audit`)).toMatchObject({ status: 404 });
    expect(await alice.get('accounts/unknown/audit')).toMatchObject({ status: 404 });
    for (const first of ['0', '101', '-1', 'all']) {
      expect(await alice.get(`accounts/${id}/audit?first=${first}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_USER_INPUT', path: ['first'] } },
      });
    }
    expect(await alice.get(`accounts/${id}/audit?after=nonsense`)).toMatchObject({
      status: 400,
      body: { error: { code: 'BAD_CURSOR' } },
    });
  });
});

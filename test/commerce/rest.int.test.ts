import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerCommerceRoutes } from '../../src/http/commerce.js';
import { createAuthenticator, signToken } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { LoopbackHub } from './loopback-hub.js';
import { type CommerceOnTest, callerNamed, ids, openCommerce, startProjector } from './with-commerce.js';

const secret = 'a secret of thirty-two characters';
const hub = new LoopbackHub();
const [summary] = createCommerceReadModels({ wakeUps: hub }) as [Projector];
let on: CommerceOnTest;
let edge: Edge;
let projecting: ReturnType<typeof startProjector>;
const headers = new Map<string, { authorization: string }>();

beforeAll(async () => {
  on = await openCommerce();
  projecting = startProjector(on, summary);
  edge = await createEdge({
    schema: buildSchema('type Query { ok: Boolean }'),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids,
    routes: (app, openRequest) =>
      registerCommerceRoutes(app, { commerce: on.commerce, hub, clock: systemClock, openRequest }),
  });
  for (const userId of ['alice', 'bob']) {
    const token = await signToken(secret, { userId, roles: ['user'], plan: 'free', expiresInSeconds: 600 });
    headers.set(userId, { authorization: `Bearer ${token}` });
  }
});
afterAll(async () => {
  await edge.close();
  await projecting.stop();
  await on.close();
});

const post = (path: string, body: object, user = 'alice') =>
  edge.app.inject({
    method: 'POST',
    url: `/api/accounts/${path}`,
    payload: body,
    headers: headers.get(user) ?? {},
  });
const get = (path: string, user = 'alice') =>
  edge.app.inject({ method: 'GET', url: `/api/accounts/${path}`, headers: headers.get(user) ?? {} });
const newAccount = async (): Promise<string> => {
  const created = await on.commerce.createAccount(callerNamed('alice'), { currency: 'USD' });
  return created.ok ? created.value.aggregateId : '';
};

describe('accounts over REST', () => {
  it('move money and show it, with the exact digits of every number', async () => {
    const id = await newAccount();
    const deposited = await post(`${id}/deposit`, { amount: 12.5, currency: 'USD', description: 'pay' });
    expect([deposited.statusCode, deposited.json()]).toEqual([201, { version: 1 }]);
    await post(`${id}/deposit`, { amount: '90071992547397.41' });
    const withdrawn = await post(`${id}/withdraw`, { amount: 0.1 });
    expect(withdrawn.json()).toEqual({ version: 3 });

    const shown = await get(`${id}/summary?after_version=3`);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['content-type']).toMatch(/^application\/json/);
    expect(shown.body).toContain('"balance":90071992547409.81,');
    expect(shown.body).toContain('"desc":"pay","amount":12.50}');
    expect(shown.json()).toMatchObject({
      accountId: id,
      version: 3,
      recentTransactions: [{ desc: 'Withdrawal', amount: -0.1 }, { desc: 'Deposit' }, { desc: 'pay' }],
    });
  });

  it('answer each refusal with its status, code and the field at fault', async () => {
    const id = await newAccount();
    const refusals: [
      path: string,
      body: object,
      user: string,
      status: number,
      code: string,
      path: string[] | null,
    ][] = [
      [`${id}/deposit`, {}, 'alice', 400, 'BAD_USER_INPUT', ['amount']],
      [`${id}/deposit`, { amount: 'ten' }, 'alice', 400, 'BAD_USER_INPUT', ['amount']],
      [
        `${id}/deposit`,
        { amount: 1, expectedVersion: 'x' },
        'alice',
        400,
        'BAD_USER_INPUT',
        ['expectedVersion'],
      ],
      [`${id}/deposit`, { amount: 0 }, 'alice', 400, 'AMOUNT_NOT_POSITIVE', ['amount']],
      [`${id}/deposit`, { amount: 1, commandId: ' ' }, 'alice', 400, 'ID_INVALID', ['commandId']],
      [`${id}/deposit`, { amount: 1 }, 'nobody', 401, 'UNAUTHENTICATED', null],
      [`${id}/deposit`, { amount: 1 }, 'bob', 403, 'FORBIDDEN', ['accountId']],
      ['unknown/deposit', { amount: 1 }, 'alice', 404, 'ACCOUNT_NOT_FOUND', ['accountId']],
      [
        `${id}/deposit`,
        { amount: 1, expectedVersion: 9 },
        'alice',
        409,
        'VERSION_CONFLICT',
        ['expectedVersion'],
      ],
      [`${id}/withdraw`, { amount: 1 }, 'alice', 422, 'INSUFFICIENT_FUNDS', ['amount']],
      [`${id}/deposit`, { amount: 1, currency: 'EUR' }, 'alice', 422, 'CURRENCY_MISMATCH', ['currency']],
    ];
    for (const [path, body, user, status, code, field] of refusals) {
      const answer = await post(path, body, user);
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { error: { code, path: field } }]);
    }
    expect((await on.log.readStream(`Account-${id}`)).length).toBe(1);
  });

  it('show a summary to its owner alone', async () => {
    const id = await newAccount();
    expect((await get(`${id}/summary?after_version=0`)).statusCode).toBe(200);
    expect((await get(`${id}/summary`, 'bob')).statusCode).toBe(403);
    expect((await get('unknown/summary')).statusCode).toBe(404);
    expect((await get(`${id}/summary?after_version=soon`)).json()).toMatchObject({
      error: { code: 'BAD_USER_INPUT', path: ['after_version'] },
    });
  });
});

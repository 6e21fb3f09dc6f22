import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { upgrade } from '../support/upgrade.js';
import { ask, bearer, type LimitedWorld, startLimitedWorld } from './limited-world.js';

const rules = `
domain: sockets
descriptors:
  - key: remote_address
    rate_limit: { requests_per_unit: 2, unit: day }
  - key: user_id
    rate_limit: { requests_per_unit: 100, unit: day }
  - key: endpoint
    value: Query.me
    rate_limit: { requests_per_unit: 2, unit: day }
  - key: endpoint
    value: Subscription.feedUpdated
    rate_limit: { requests_per_unit: 1, unit: day }
  - key: endpoint
    value: login
    rate_limit: { requests_per_unit: 1, unit: day }
`;

let world: LimitedWorld;
let socketUrl: string;
beforeAll(async () => {
  world = await startLimitedWorld(rules);
  socketUrl = `${world.api.url.replace('http', 'ws')}/graphql`;
});
afterAll(() => world.close());

const open = (authorization: string | undefined, address: string, onClose?: (code: number) => void): Client =>
  createClient({
    url: socketUrl,
    webSocketImpl: class extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers: { 'x-forwarded-for': address } });
      }
    },
    connectionParams: authorization ? { authorization } : {},
    retryAttempts: 0,
    lazy: true,
    on: { closed: (event) => onClose?.((event as { code: number }).code) },
  });

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { extensions?: Record<string, unknown> }[];
}

const run = (client: Client, query: string): Promise<Result> =>
  new Promise((resolve) => {
    let last: Result = {};
    client.subscribe(
      { query },
      {
        next: (result) => {
          last = result as Result;
        },
        error: (errors) => resolve({ errors: errors as Result['errors'] & object }),
        complete: () => resolve(last),
      },
    );
  });

const codeOf = ({ errors }: Result): unknown => errors?.[0]?.extensions?.code;

it('an operation on a socket is held against the same counters as one over HTTP', async () => {
  const authorization = await bearer('socketeer');
  const client = open(authorization, '198.51.100.1');
  const first = await run(client, '{ me { userId } }');
  expect(codeOf(first)).toBeUndefined();
  const overHttp = await ask(world.api, '{ me { userId } }', authorization);
  expect(overHttp.status).toBe(200);
  const third = await run(client, '{ me { userId } }');
  expect(codeOf(third)).toBe('RATE_LIMIT_EXCEEDED');
  expect(third.errors?.[0]?.extensions).toMatchObject({ limit: 2, window: '1d' });
  expect(codeOf(await run(client, '{ __typename }'))).toBeUndefined();
  await client.dispose();
});

it('a subscription that may not start ends with the error, and the socket stays open', async () => {
  const client = open(await bearer('listener'), '198.51.100.2');
  const query = 'subscription { feedUpdated { cursor } }';
  const first = client.iterate({ query });
  const waiting = first.next();
  expect(codeOf(await run(client, query))).toBe('RATE_LIMIT_EXCEEDED');
  expect(codeOf(await run(client, '{ __typename }'))).toBeUndefined();
  await first.return?.();
  await waiting.catch(() => undefined);
  await client.dispose();
});

it('opening sockets is limited as well: each upgrade shows its limits, and is answered 429 above them', async () => {
  const stranger = { 'x-forwarded-for': '198.51.100.3' };
  const first = await upgrade(socketUrl, stranger);
  expect(first.status).toBe(101);
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '1',
    'x-ratelimit-policy': '2;w=86400',
  });
  const elsewhere = await upgrade(`${socketUrl}/elsewhere`, stranger);
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.headers['x-ratelimit-remaining']).toBe('0');
  const third = await upgrade(socketUrl, stranger);
  expect(third.status).toBe(429);
  expect(third.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect(JSON.parse(third.body).error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', limit: 2 });
});

it('wrong tokens on sockets count as failed sign-ins', async () => {
  const closeCode = (): Promise<number> =>
    new Promise((resolve) => {
      const client = open('Bearer forged', '198.51.100.4', resolve);
      client.subscribe(
        { query: '{ __typename }' },
        { next: () => undefined, error: () => undefined, complete: () => undefined },
      );
    });
  expect(await closeCode()).toBe(4403);
  expect(await closeCode()).toBe(1013);
});

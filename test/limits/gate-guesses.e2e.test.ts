import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { itCounts } from './counted.js';
import {
  type LimitedWorld,
  type Sent,
  send,
  startLimitedWorld,
  statusesOf,
  usesOf,
} from './limited-world.js';

const rules = `
domain: guesses
descriptors:
  - key: remote_address
    rate_limit: { requests_per_unit: 100, unit: day }
    descriptors:
      - key: endpoint
        value: GET /api/orders/{order_id}
        rate_limit: { requests_per_unit: 50, unit: hour }
  - key: remote_address
    value: 10.20.*.99
    rate_limit: { requests_per_unit: 1, unit: day }
  - key: endpoint
    value: login
    rate_limit: { requests_per_unit: 2, unit: day }
`;

let world: LimitedWorld;
beforeAll(async () => {
  world = await startLimitedWorld(rules);
});
afterAll(() => world.close());

const apis = () => [world.api];

const forged = (address: string) => ({ authorization: 'Bearer forged', 'x-forwarded-for': address });
const guesses: { over: string; endpoint: string; guess(address: string): Promise<Sent> }[] = [
  {
    over: 'REST',
    endpoint: 'GET /api/orders/{order_id}',
    guess: (address) => send(world.api, 'GET /api/orders/a', forged(address)),
  },
  {
    over: 'GraphQL',
    endpoint: 'POST /graphql',
    guess: (address) => send(world.api, 'POST /graphql', forged(address), { query: '{ __typename }' }),
  },
];

for (const { over, endpoint, guess } of guesses) {
  itCounts(
    `wrong tokens over ${over} are charged to their address and to login, until login refuses: then to neither`,
    apis,
    async (strangers) => {
      const address = strangers.address(1);
      const uses = async () => ({
        ...(await usesOf(world.api, { remote_address: address, endpoint })),
        ...(await usesOf(world.api, { remote_address: address, endpoint: 'login' })),
      });
      expect(await statusesOf(2, () => guess(address))).toEqual([401, 401]);
      const before = await uses();
      expect(before).toMatchObject({ 'remote_address per_day': 2, 'endpoint=login per_day': 2 });
      expect(await statusesOf(5, () => guess(address))).toEqual([429, 429, 429, 429, 429]);
      await vi.waitFor(async () => expect(await uses()).toEqual(before), { timeout: 10_000 });
    },
  );

  itCounts(
    `where the address itself is full, wrong tokens over ${over} are not held against login`,
    apis,
    async (strangers) => {
      const address = strangers.address(99);
      const login = () => usesOf(world.api, { remote_address: address, endpoint: 'login' });
      expect((await send(world.api, 'GET /nowhere', { 'x-forwarded-for': address })).status).toBe(404);
      expect(await statusesOf(5, () => guess(address))).toEqual([429, 429, 429, 429, 429]);
      const untouched = { 'remote_address=10.20.*.99 per_day': 1, 'endpoint=login per_day': 0 };
      await vi.waitFor(async () => expect(await login()).toEqual(untouched), { timeout: 10_000 });
    },
  );
}

/** How often Postgres was asked for API keys while something went on. */
async function lookUpsDuring(going: () => Promise<void>): Promise<number> {
  const database = new pg.Client({ connectionString: world.databaseUrl });
  await database.connect();
  const one = async (query: string): Promise<number> =>
    Number((await database.query<[string]>({ text: query, rowMode: 'array' })).rows[0]?.[0]);
  const lookUps = () =>
    one("SELECT seq_scan + coalesce(idx_scan, 0) FROM pg_stat_user_tables WHERE relname = 'api_keys'");
  const others = () =>
    one(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
  const before = await lookUps();
  await going();
  // A session of Postgres has reported all its scans when it has ended.
  await world.api.kill('SIGTERM');
  await vi.waitFor(async () => expect(await others()).toBe(0), { timeout: 15_000, interval: 50 });
  const made = (await lookUps()) - before;
  await database.end();
  await world.api.restart();
  return made;
}

for (const { promise, host, first, aSecond } of [
  {
    promise: 'invented API keys are looked up until login refuses, and from then on once a second at most',
    host: 3,
    first: [401, 401],
    aSecond: 1,
  },
  {
    promise: 'from an address that is full, invented API keys are looked up six times a second at most',
    host: 99,
    first: [401],
    aSecond: 6,
  },
]) {
  itCounts(promise, apis, async (strangers) => {
    const from = { 'x-forwarded-for': strangers.address(host) };
    const guess = () => send(world.api, 'GET /api/orders/a', { 'x-api-key': inventedKey(), ...from });
    let statuses: number[] = [];
    let seconds = 0;
    const made = await lookUpsDuring(async () => {
      const start = performance.now();
      statuses = await statusesOf(300, guess);
      seconds = (performance.now() - start) / 1_000;
    });
    expect(statuses).toEqual([...first, ...Array.from({ length: 300 - first.length }, () => 429)]);
    expect(made).toBeGreaterThan(first.length);
    expect(made).toBeLessThanOrEqual(first.length + aSecond * (1 + Math.floor(seconds)));
  });
}

/** Of the right form, and nobody's. */
const inventedKey = (): string =>
  `tidings_${randomBytes(8).toString('hex')}_${randomBytes(32).toString('base64url')}`;

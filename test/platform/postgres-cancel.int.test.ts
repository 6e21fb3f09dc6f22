import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { forEverybody, forReader } from '../../src/platform/wake-ups/reader.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

const SLOW = 'SELECT pg_sleep(600)';
const GONE = { code: 'SERVICE_UNAVAILABLE', message: 'The client has gone' };

let database: TestDatabase;
let proxy: FaultyProxy;
let watcher: Postgres;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultyProxy(database.url);
  watcher = openPostgres(database.url, { max: 1, applicationName: 'watcher', onError: () => undefined });
});
afterAll(async () => {
  await watcher?.close();
  await proxy?.close();
  await database?.drop();
});
beforeEach(() => {
  postgres = openPostgres(proxy.url, { max: 1, applicationName: 'reads', onError: () => undefined });
});
afterEach(() => postgres.close());

const running = async (): Promise<number> => {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reads' AND state = 'active'`,
  );
  return rows[0]!.count;
};
const runs = (count: number) =>
  vi.waitFor(async () => expect(await running()).toBe(count), { timeout: 30_000, interval: 20 });

it('a statement is cancelled when its reader leaves, and its connection serves on', async () => {
  const { rows } = await postgres.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const leaving = new AbortController();
  const read = forReader(leaving, () => postgres.query(SLOW)).catch((error: unknown) => error);
  await runs(1);
  leaving.abort();
  expect(await read).toMatchObject(GONE);
  expect(await running()).toBe(0);
  expect((await postgres.query('SELECT pg_backend_pid() AS pid')).rows).toEqual(rows);
});

it('nothing is sent for a reader who left before', async () => {
  const left = AbortSignal.abort();
  await expect(forReader({ signal: left }, () => postgres.query('SELECT 1'))).rejects.toMatchObject(GONE);
  expect(postgres.pool.totalCount).toBe(0);
});

it('one who leaves while waiting for a connection takes none', async () => {
  const holder = await postgres.pool.connect();
  const leaving = new AbortController();
  const read = forReader(leaving, () => postgres.query(SLOW)).catch((error: unknown) => error);
  leaving.abort();
  holder.release();
  expect(await read).toMatchObject(GONE);
  expect(await running()).toBe(0);
});

it('what is done for others too goes on', async () => {
  const leaving = new AbortController();
  const read = forReader(leaving, () =>
    forEverybody(() => postgres.query<{ one: number }>('SELECT 1 AS one FROM pg_sleep(0.3)')),
  );
  await runs(1);
  leaving.abort();
  expect((await read).rows).toEqual([{ one: 1 }]);
});

it('a cancel never hits the next statement of its connection', async () => {
  const next: Promise<unknown>[] = [];
  for (let n = 0; n < 300; n += 1) {
    const leaving = new AbortController();
    const read = forReader(leaving, () => postgres.query('SELECT pg_sleep(0.001)')).catch(() => undefined);
    next.push(postgres.query('SELECT pg_sleep(0.003)'));
    const wait = (n % 10) * 0.4;
    const until = performance.now() + wait;
    while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await Promise.all([read, next.at(-1)]);
  }
  expect(
    await Promise.allSettled(next).then((all) => all.filter(({ status }) => status === 'rejected')),
  ).toEqual([]);
  expect(postgres.pool.totalCount).toBe(1);
});

it('a connection is not used again where nobody knows whether its cancel was taken', async () => {
  // Nobody listens on the discard port.
  postgres.pool.once('acquire', (client) => Object.assign(client, { port: 9 }));
  const leaving = new AbortController();
  const read = forReader(leaving, () => postgres.query('SELECT pg_sleep(0.5)'));
  await runs(1);
  leaving.abort();
  await read;
  expect(postgres.pool.totalCount).toBe(0);
  expect((await postgres.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

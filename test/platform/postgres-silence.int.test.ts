import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type LocalPostgres, startPostgres } from '../../src/local/postgres.js';
import { createClient } from '../../src/platform/postgres/clients.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { isUnavailable } from '../../src/platform/unavailable.js';
import { administer, createTestDatabase, type TestDatabase } from '../support/database.js';
import { startMovingAddress } from '../support/moving-address.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

/** Far below the timeouts of statements. */
const SOON_MS = 15_000;
const CONNECTIONS = 3;
let database: TestDatabase;
let proxy: FaultyProxy;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await startFaultyProxy(database.url);
  postgres = openPostgres(proxy.url, {
    max: CONNECTIONS,
    applicationName: 'silent',
    onError: () => undefined,
  });
});
afterEach(async () => {
  await proxy.close();
  await postgres.close();
});

async function failure(work: Promise<unknown>): Promise<unknown> {
  const began = performance.now();
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(performance.now() - began).toBeLessThan(SOON_MS);
  return error;
}

it('statements on connections that have gone silent end within seconds, and the next ones are answered', async () => {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => postgres.query('SELECT pg_sleep(0.05)')));
  proxy.silence();
  const errors = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => failure(postgres.query('SELECT 1'))),
  );
  for (const error of errors) expect(isUnavailable(error)).toBe(true);
  await expect(postgres.query('SELECT 1 AS one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
});

it('a connection of its own that has gone silent ends within seconds', async () => {
  const client = createClient(proxy.url, { applicationName: 'alone' });
  await client.connect();
  proxy.silence();
  expect(isUnavailable(await failure(client.query('SELECT 1')))).toBe(true);
  await client.end();
});

/** A server of its own whose superuser has the same password everywhere. */
async function startServer(folder: string, name: string): Promise<LocalPostgres> {
  const server = await startPostgres({
    dataDir: path.join(folder, name),
    durable: false,
    say: () => undefined,
  });
  await administer(server.url, `ALTER ROLE postgres PASSWORD 'same'`);
  return server;
}
const portOf = (url: string): number => Number(new URL(url).port);

it('every connection to a server is dropped once the address leads to another one, idle ones too', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-silence-'));
  // As root, the server runs as another user, who must get through to its folder.
  await chmod(folder, 0o711);
  const [former, promoted] = [await startServer(folder, 'former'), await startServer(folder, 'promoted')];
  const address = await startMovingAddress(portOf(former.url));
  const url = `postgresql://postgres:same@127.0.0.1:${portOf(address.url)}/postgres`;
  const dropped: Error[] = [];
  const roaming = openPostgres(url, {
    max: 2,
    applicationName: 'roams',
    onError: (error) => dropped.push(error),
  });
  try {
    await Promise.all([roaming.query('SELECT pg_sleep(0.05)'), roaming.query('SELECT pg_sleep(0.05)')]);
    expect(roaming.pool.idleCount).toBe(2);
    const waiting = failure(roaming.query('SELECT pg_sleep(60)'));
    address.moveTo(portOf(promoted.url));
    expect(isUnavailable(await waiting)).toBe(true);
    expect(dropped).toHaveLength(1);
    expect(roaming.pool.totalCount).toBe(0);
    const { rows } = await roaming.query<{ port: string }>('SHOW port');
    expect(rows).toEqual([{ port: String(portOf(promoted.url)) }]);
  } finally {
    await roaming.close();
    address.close();
    await Promise.all([former.stop(), promoted.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
});

it('a statement that takes long goes on', async () => {
  const { rows } = await postgres.query('SELECT pg_sleep(8)::text, 1 AS one');
  expect(rows).toMatchObject([{ one: 1 }]);
});

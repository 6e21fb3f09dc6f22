import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPostgres } from '../../src/local/postgres.js';
import { isAlive } from '../../src/local/processes.js';
import { startRedis } from '../../src/local/redis.js';

let folder: string;
const toEnd: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-local-'));
  await chmod(folder, 0o711);
});

afterEach(async () => {
  for (const end of toEnd.splice(0)) await end();
  await rm(folder, { recursive: true });
});

test('a second Postgres on a folder replaces the one that was left there, and has its data', async () => {
  const dataDir = path.join(folder, 'postgres');
  const left = await postgres(dataDir);
  await query(left.url, 'CREATE TABLE kept (id INT)');
  const pid = await postmaster(dataDir);
  const next = await postgres(dataDir);
  expect(isAlive(pid)).toBe(false);
  expect(await query(next.url, 'SELECT * FROM kept')).toEqual([]);
});

test('Postgres reports the folder that its data lies in, also where its user cannot enter the one that was asked for', async () => {
  await chmod(folder, 0o700);
  const server = await postgres(path.join(folder, 'postgres'));
  toEnd.push(() => rm(server.folder, { recursive: true, force: true }));
  const cluster = path.join(server.folder, 'cluster');
  expect(await query(server.url, 'SHOW data_directory')).toEqual([{ data_directory: cluster }]);
});

test('Postgres starts where a dead run’s process id now belongs to somebody else', async () => {
  const dataDir = path.join(folder, 'postgres');
  await (await postgres(dataDir)).stop();
  const stale = [process.pid, path.join(dataDir, 'cluster'), 1, 5432, '', '127.0.0.1', '', 'ready', ''].join(
    '\n',
  );
  await writeFile(path.join(dataDir, 'cluster', 'postmaster.pid'), stale);
  const next = await postgres(dataDir);
  expect(await query(next.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a second Redis on a folder replaces the one that was left there, and has its data', async () => {
  const left = await redis();
  await withClient(left.url, (client) => client.set('kept', 'yes'));
  const next = await redis();
  expect(await withClient(next.url, (client) => client.get('kept'))).toBe('yes');
  expect(await withClient(next.url, (client) => client.config('GET', 'maxmemory-policy'))).toContain(
    'noeviction',
  );
});

test('a Redis that is to be kept up is there again after it was killed, at the same URL', async () => {
  const kept = await redis({ keptUp: true });
  await withClient(kept.url, (client) => client.set('kept', 'yes'));
  const pid = await redisPid();
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await redisPid()).not.toBe(pid), 10_000);
  await withClient(kept.url, (client) => client.ping());
  const successor = await redisPid();
  await kept.stop();
  expect(isAlive(successor)).toBe(false);
});

async function postgres(dataDir: string) {
  const server = await startPostgres({ dataDir, durable: false, say: () => undefined });
  toEnd.push(server.stop);
  return server;
}

const redisPid = async (): Promise<number> =>
  Number((await readFile(path.join(folder, 'redis', 'running'), 'utf8')).split(' ')[0]);

async function redis(own: { keptUp?: boolean } = {}) {
  const server = await startRedis({
    ...own,
    dataDir: path.join(folder, 'redis'),
    persistent: true,
    say: () => undefined,
  });
  toEnd.push(server.stop);
  return server;
}

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function withClient<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

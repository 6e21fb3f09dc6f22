import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { openLoad } from './load.js';

/** 5 s are promised; a crowded machine may take longer to run what takes over. */
const TAKEN_OVER_MS = 15_000;
const SETTLED_MS = 30_000;

let database: TestDatabase;
let redis: TestRedis;
let postgres: Postgres;
let api: TestProcess;
let frozen: TestProcess;
let other: TestProcess;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const options = { databaseUrl: database.url, redisUrl: redis.url };
  postgres = openPostgres(database.url, { max: 2, applicationName: 'test', onError: () => undefined });
  // The first worker takes every projector.
  [api, frozen] = await Promise.all([startApi(options), startWorker(options)]);
  other = await startWorker(options);
});
afterAll(async () => {
  if (frozen) process.kill(frozen.pid, 'SIGCONT');
  await Promise.all([api, frozen, other].map((one) => one?.kill('SIGKILL')));
  await postgres?.close();
  await redis?.stop();
  await database?.drop();
});

async function projectorsOf(worker: TestProcess): Promise<string[]> {
  const metrics = await (await fetch(`${worker.url}/metrics`)).text();
  return [...metrics.matchAll(/^projector_position\{[^}]*projector="([^"]+)"/gm)].map(([, name]) => name!);
}

it('a frozen worker gives up its projectors to another, and finds so when it thaws', async () => {
  const load = await openLoad([api.url]);
  await load.prepare(postgres);
  const settled = () =>
    vi.waitFor(
      async () => {
        const { logged, projected } = await load.deposits(postgres);
        expect(projected).toBe(logged);
        expect(await load.missing(postgres)).toEqual([]);
      },
      { timeout: SETTLED_MS, interval: 100 },
    );
  await load.some(20);
  await settled();
  const held = await projectorsOf(frozen);
  expect(held).toContain('account-summary');

  process.kill(frozen.pid, 'SIGSTOP');
  const from = performance.now();
  await load.some(20);
  await vi.waitFor(
    async () => {
      await load.some(1);
      expect(await projectorsOf(other)).toEqual(expect.arrayContaining(held));
    },
    { timeout: TAKEN_OVER_MS, interval: 100 },
  );
  process.stderr.write(`frozen worker: taken over after ${Math.round(performance.now() - from)} ms\n`);
  await settled();

  process.kill(frozen.pid, 'SIGCONT');
  await load.some(20);
  await settled();
  await vi.waitFor(async () => expect((await fetch(`${frozen.url}/readyz`)).status).toBe(200), SETTLED_MS);
  // Two holders would show here, and what is applied twice in the balance above.
  await vi.waitFor(
    async () => {
      const now = await projectorsOf(other);
      expect((await projectorsOf(frozen)).filter((name) => now.includes(name))).toEqual([]);
    },
    { timeout: SETTLED_MS, interval: 100 },
  );
  expect(load.tally.oddities).toEqual([]);
}, 180_000);

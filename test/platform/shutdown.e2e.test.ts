import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

/** The two waits of 2 s that draining takes at most without Redis; the rest is for a crowded machine. */
const DRAINED_MS = 12_000;
let database: TestDatabase;
let redis: TestRedis;
let proxy: FaultyProxy;
let processes: TestProcess[];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  proxy = await startFaultyProxy(redis.url);
  const options = { databaseUrl: database.url, redisUrl: proxy.url };
  processes = await Promise.all([startApi(options), startWorker(options)]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill('SIGKILL')));
  await proxy.close();
  await redis.stop();
  await database.drop();
});

it('a process that is asked to end while Redis is away drains and ends well, within seconds', async () => {
  await proxy.refuse();
  proxy.cut();
  const statusOf = async ({ url }: TestProcess) => (await fetch(`${url}/readyz`)).status;
  await vi.waitFor(async () => expect(await Promise.all(processes.map(statusOf))).toEqual([503, 503]), {
    timeout: 10_000,
  });
  await expect(
    Promise.all(processes.map(async ({ url }) => (await fetch(`${url}/healthz`)).status)),
  ).resolves.toEqual([200, 200]);
  const told = performance.now();
  const ends = await Promise.all(processes.map((process) => process.kill('SIGTERM')));
  expect(ends, processes.map((process) => process.output()).join('\n')).toEqual([0, 0]);
  expect(performance.now() - told).toBeLessThan(DRAINED_MS);
});

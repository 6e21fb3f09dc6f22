import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

let database: TestDatabase;
let redis: TestRedis;
let processes: readonly TestProcess[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const urls = { databaseUrl: database.url, redisUrl: redis.url };
  processes = await Promise.all([startApi(urls), startWorker(urls)]);
});

afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill('SIGKILL')));
  await redis.stop();
  await database.drop();
});

test('api and worker come back after a kill, and drain to a clean end when they are asked to stop', async () => {
  for (const process of processes) {
    expect(await process.kill('SIGKILL')).toBe('SIGKILL');
    await process.restart();
    expect((await fetch(`${process.url}/readyz`)).status).toBe(200);
    expect(await process.kill('SIGTERM')).toBe(0);
  }
});

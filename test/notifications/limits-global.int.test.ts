import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Redis } from '../../src/platform/redis/redis.js';
import { heldNoon } from '../limits/counter-world.js';
import { callsDuring, connectTo, forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';
import { type LimitsWorld, openLimitsWorld } from './limits-world.js';

const HOUR_MS = 3_600_000;

let server: TestRedis;
let direct: Redis;
let processes: readonly LimitsWorld[];
/** Microseconds since the epoch. */
let now: number;

beforeAll(async () => {
  server = await startTestRedis();
  direct = await connectTo(server);
  processes = await Promise.all(
    [0, 1].map(() => openLimitsWorld(server.url.split(','), { heldTime: () => now })),
  );
});
afterAll(async () => {
  for (const { quotas } of processes) await quotas.close();
  direct.disconnect();
  await server.stop();
});
beforeEach(async () => {
  now = heldNoon;
  await forgetAll(direct);
});

/** So many calls at once, spread over the processes: how many of them may be made now. */
async function callsMade(count: number): Promise<number> {
  const delays = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      processes[index % processes.length]!.limits.delayOfCall('sms', 'ORDER_SHIPPED'),
    ),
  );
  return delays.filter((delay) => delay === 0).length;
}

it('a hundred thousand messages an hour leave, of all processes together, and each later one gets the time when it may', async () => {
  let made = 0;
  for (let wave = 0; wave < 11; wave += 1) made += await callsMade(10_000);
  // Where a connection broke, or an answer was late, calls are let through uncounted.
  for (const one of processes) expect(await one.failedOpen()).toEqual({});
  expect(made).toBe(100_000);

  const { limits } = processes[0]!;
  // The window is the clock's hour, which has just begun; a moment into the next, one of them has slid out.
  const delay = await limits.delayOfCall('sms', 'ORDER_SHIPPED');
  expect(delay).toBeGreaterThanOrEqual(HOUR_MS);
  expect(delay).toBeLessThan(HOUR_MS + 1_000);
  expect(await limits.delayOfCall('sms', 'PASSWORD_RESET')).toBe(0);
  expect(await limits.delayOfCall('email', 'ORDER_SHIPPED')).toBe(0);

  now += (delay - 1_000) * 1_000;
  expect(await callsMade(10)).toBe(0);
  now += HOUR_MS * 500 + 1_000_000;
  const half = await callsMade(60_000);
  expect(half).toBeGreaterThan(49_000);
  expect(half).toBeLessThan(51_000);
}, 120_000);

it('calls of one tick are counted in one call to Redis', async () => {
  await callsMade(2);
  const calls = await callsDuring(direct, ['evalsha'], async () => expect(await callsMade(100)).toBe(100));
  expect(calls).toEqual({ evalsha: 2 });
});

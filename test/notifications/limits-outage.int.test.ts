import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openQuotas } from '../../src/domains/limits/index.js';
import { createNotificationLimits } from '../../src/domains/notifications/limits/limits.js';
import { freePort } from '../../src/local/free-port.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import { aDelivery, allowedOf, deliveries, type LimitsWorld, openLimitsWorld } from './limits-world.js';
import { until } from './notification-world.js';

/** Many deadlines, since others may run on this machine; a connection itself gives up a silent peer after 2 s. */
const SOON_MS = 5_000;
/** In two batches of 256. */
const UNDER_WAY = 512;

let server: RedisProcess;
let world: LimitsWorld;

beforeAll(async () => {
  server = await startRedisProcess();
});
afterAll(() => server.stop());
beforeEach(async () => {
  // Four times what the product allows: a busy machine must not look like an outage.
  world = await openLimitsWorld([server.url], { timeoutMs: 200 });
});
afterEach(() => world.quotas.close());

const thousands = () =>
  Array.from({ length: 3_000 }, (_, index) => aDelivery({ userId: `user-${index}`, channel: 'sms' }));

async function timed<T>(work: Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  return { value: await work, ms: performance.now() - started };
}

describe('while the counters cannot be asked', () => {
  it('everything is allowed, soon, and counted as let through; limits hold again once they are back', async () => {
    await world.limits.charge(deliveries(30));
    server.freeze();
    try {
      const silent = await timed(allowedOf(world.limits, thousands()));
      expect(silent.value).toBe(3_000);
      expect(silent.ms).toBeLessThan(SOON_MS);
      expect(await allowedOf(world.limits, deliveries(1))).toBe(1);
      expect(await world.limits.delayOfCall('sms', 'ORDER_SHIPPED')).toBe(0);
      // Checks that were not on their way by then did not wait.
      expect(await world.failedOpen()).toEqual({ timeout: UNDER_WAY, breaker_open: 3_002 - UNDER_WAY });
    } finally {
      server.thaw();
    }
    await until(async () => (await allowedOf(world.limits, deliveries(1))) === 0);
  });

  it('a Redis that dies under a batch lets it through, and a new one counts from nothing', async () => {
    await world.limits.charge(deliveries(30, { userId: 'bob' }));
    const charging = allowedOf(world.limits, thousands());
    await server.kill();
    expect(await charging).toBe(3_000);
    expect(await allowedOf(world.limits, deliveries(1, { userId: 'bob' }))).toBe(1);
    await server.restart();
    // All 31 are let through, until they are counted: then 30 of them, at once.
    await until(async () => (await allowedOf(world.limits, deliveries(31, { userId: 'bob' }))) === 30);
  });

  it('a process starts without them, at once, and says in its log that quotas are not kept', async () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
    const metrics = new Registry();
    const url = `redis://user:secret@127.0.0.1:${await freePort()}`;
    const opened = await timed(
      Promise.resolve(openQuotas({ redisUrls: [url], timeoutMs: 50, logger, metrics })),
    );
    const limits = createNotificationLimits({ quotas: opened.value, metrics });
    const charged = await timed(allowedOf(limits, thousands()));
    expect(charged.value).toBe(3_000);
    expect(opened.ms + charged.ms).toBeLessThan(SOON_MS);
    await vi.waitFor(async () => {
      await limits.charge(deliveries(1));
      expect(lines.join('')).toContain('counters cannot be reached: quotas are not kept');
    }, 10_000);
    for (let time = 0; time < 100; time += 1) await limits.charge(deliveries(10));
    expect(lines.length).toBeLessThan(10);
    expect(lines.join('')).not.toContain('secret');
    await opened.value.close();
  });
});

it.each([
  ['text', (redis: Redis, key: string) => redis.set(key, 'no set')],
  ['a list', (redis: Redis, key: string) => redis.rpush(key, 'no set')],
])('a counter whose key holds %s begins anew, and counts', async (_, write) => {
  const onError = vi.fn();
  const world = await openLimitsWorld([server.url], { onError });
  const direct = new Redis(server.url);
  await direct.del('tidings:quota:{u:dave}:channel=push');
  await write(direct, 'tidings:quota:{u:dave}:channel=push');
  expect(await allowedOf(world.limits, deliveries(50, { userId: 'dave' }))).toBe(30);
  expect(onError).not.toHaveBeenCalled();
  expect(await world.failedOpen()).toEqual({});
  direct.disconnect();
  await world.quotas.close();
});

it('quotas that are closed let through what still comes', async () => {
  const closed = await openLimitsWorld([server.url]);
  const charging = allowedOf(closed.limits, thousands());
  await closed.quotas.close();
  expect(await charging).toBe(3_000);
  expect(await allowedOf(closed.limits, deliveries(1))).toBe(1);
});

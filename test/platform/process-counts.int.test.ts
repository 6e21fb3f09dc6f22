import { Counter, Histogram, Registry } from 'prom-client';
import { it, type TestContext, vi } from 'vitest';
import { createProcessCounts } from '../../src/platform/process-counts/index.js';
import { COUNTS_KEY } from '../../src/platform/process-counts/store.js';
import { quantileOf } from '../../src/platform/quantile.js';
import { openBlockingRedis, openRedis, type SingleRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
} from '../../src/platform/wake-ups/wake-ups.js';
import { startTestRedis } from '../support/redis.js';
import { startFaultyProxy } from './faulty-proxy.js';
import { silent } from './wake-ups-world.js';

const measured = {
  counters: { refused: { metric: 'requests', labels: { result: 'refused' } } },
  histograms: { reads: { metric: 'reads' } },
} as const;

async function openRedisServer({ onTestFinished }: TestContext) {
  const server = await startTestRedis();
  const redis = openRedis([server.url], () => undefined);
  onTestFinished(async () => {
    redis.disconnect();
    await server.stop();
  });
  return { url: server.url, redis };
}

/** One process of several: its metrics, its hub, and what it contributes. */
async function openProcess({ onTestFinished }: TestContext, url: string, redisUrl = url) {
  const metrics = new Registry();
  const requests = new Counter({ name: 'requests', help: '-', labelNames: ['result'], registers: [metrics] });
  const reads = new Histogram({ name: 'reads', help: '-', buckets: [1, 2, 3], registers: [metrics] });
  const redis = openRedis([redisUrl], () => undefined);
  const reader = openBlockingRedis([url], () => undefined);
  const hub = createWakeUpHub(reader, openSubscriptions(redis), silent);
  const counts = createProcessCounts({ redis, metrics, wakeUps: createWakeUpPublisher(redis), measured });
  await hub.ready;
  void counts.contribute(hub);
  onTestFinished(() => {
    hub.close();
    redis.disconnect();
  });
  return { requests, reads, counts };
}

it.concurrent('what all processes counted since the last reading is added up, and a quantile is one of all values', async (context) => {
  const { expect } = context;
  const { url, redis } = await openRedisServer(context);
  const [one, other] = await Promise.all([openProcess(context, url), openProcess(context, url)]);
  const reader = one.counts.reader();
  /** A reading of contributions that are all newer than this call. */
  async function read() {
    const former = await redis.hvals(COUNTS_KEY);
    await vi.waitFor(
      async () => {
        await reader.ask();
        const now = await redis.hvals(COUNTS_KEY);
        expect(now.filter((text) => !former.includes(text))).toHaveLength(2);
      },
      { timeout: 20_000, interval: 50 },
    );
    return reader.read();
  }
  expect((await read()).processes).toBe(0);
  expect(await read()).toMatchObject({ processes: 2, isWhole: true, perSecond: { refused: 0 } });

  one.requests.inc({ result: 'refused' }, 30);
  one.requests.inc({ result: 'allowed' }, 5_000);
  other.requests.inc({ result: 'refused' }, 50);
  for (let n = 0; n < 97; n += 1) one.reads.observe(0.5);
  for (let n = 0; n < 3; n += 1) other.reads.observe(2.5);
  const { perSecond, histograms } = await read();
  expect(perSecond.refused).toBeGreaterThan(0);
  expect(perSecond.refused).toBeLessThan(200);
  expect(histograms.reads).toEqual({ bounds: [1, 2, 3], counts: [97, 0, 3, 0] });
  // The one process never took longer than 1 s, the other one always: no average of theirs.
  expect(quantileOf([1, 2, 3], histograms.reads!.counts, 0.99)).toBeCloseTo(2.667, 3);
  expect((await read()).perSecond.refused).toBe(0);
});

it.concurrent('without a reader no command of it comes to Redis, and what was written goes away', async (context) => {
  const { expect } = context;
  const { url, redis } = await openRedisServer(context);
  const { counts } = await openProcess(context, url);
  const reader = counts.reader();
  await vi.waitFor(
    async () => {
      await reader.ask();
      expect(await redis.exists(COUNTS_KEY)).toBe(1);
    },
    { timeout: 20_000, interval: 300 },
  );
  // Its lifetime begins anew with each contribution: that it ends shows that there was none.
  await expect.poll(() => redis.exists(COUNTS_KEY), { timeout: 20_000, interval: 100 }).toBe(0);

  const commands: string[] = [];
  const monitor = await (redis as SingleRedis).monitor();
  context.onTestFinished(() => monitor.disconnect());
  monitor.on('monitor', (_time: string, args: string[]) => commands.push(args.join(' ')));
  // The registry of wake-ups compares itself once a second, whatever is listened to.
  const looks = () => commands.filter((command) => /^hget .*:readers #/i.test(command)).length;
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(3), { timeout: 20_000, interval: 100 });
  expect(commands.filter((command) => command.includes('process-counts'))).toEqual([]);
});

it.concurrent('while Redis is away a process knows of itself, at once, and of all again when it is back', async (context) => {
  const { expect } = context;
  const { url } = await openRedisServer(context);
  const proxy = await startFaultyProxy(url);
  context.onTestFinished(() => proxy.close());
  const [one] = await Promise.all([openProcess(context, url, proxy.url), openProcess(context, url)]);
  const reader = one.counts.reader();
  const reading = async () => {
    await reader.ask();
    return reader.read();
  };
  const until = (holds: { processes: number; isWhole: boolean }) =>
    vi.waitFor(async () => expect(await reading()).toMatchObject(holds), { timeout: 30_000, interval: 300 });
  await until({ processes: 2, isWhole: true });
  await proxy.refuse();
  await until({ processes: 1, isWhole: false });
  const startedAt = performance.now();
  await reader.read();
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  await proxy.accept();
  await until({ processes: 2, isWhole: true });
});

it.concurrent('what is no contribution is removed', async (context) => {
  const { expect } = context;
  const { url, redis } = await openRedisServer(context);
  const { counts } = await openProcess(context, url);
  await redis.hset(COUNTS_KEY, 'odd', '{"at":"noon"}', 'none', 'garbage');
  const reader = counts.reader();
  expect((await reader.read()).isWhole).toBe(true);
  expect(await redis.hlen(COUNTS_KEY)).toBe(0);
  await redis.del(COUNTS_KEY);
  await redis.set(COUNTS_KEY, 'no hash');
  await vi.waitFor(async () => expect((await reader.read()).isWhole).toBe(true), { timeout: 10_000 });
});

import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { keepCacheLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites, LEASE_MS } from '../../src/platform/cache/missed-writes.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Cluster, openBlockingRedis, openRedis } from '../../src/platform/redis/redis.js';
import { mastersOf, tagIn } from '../../src/platform/redis/redis-cluster.js';
import { followServer } from '../../src/platform/redis/server-watch.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';

const SOON = { timeout: 40_000, interval: 50 };

let cluster: TestCluster;
let feeds: RedisProcess;
let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  [cluster, feeds, database] = await Promise.all([
    startTestCluster({ replicas: 3 }),
    startRedisProcess(),
    createTestDatabase(),
  ]);
  postgres = openPostgres(database.url, { max: 6, applicationName: 'lease test', onError: () => undefined });
});
afterAll(async () => {
  await postgres?.close();
  await Promise.all([cluster?.stop(), feeds?.stop(), database?.drop()]);
});

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

const leaseKeyIn = (slot: number): string => `tidings:cache-lease:{${tagIn(slot)}}`;

/** A process whose caches are on the Cluster, and its feeds on a Redis of their own. */
async function openProcess() {
  const redis = openRedis(cluster.urls, () => undefined);
  const feedRedis = openRedis([feeds.url], () => undefined);
  const metrics = new Registry();
  const missed = createMissedWrites({ postgres, following: postgres, metrics });
  const lease = keepCacheLease({
    redises: [redis, feedRedis],
    missed,
    logger: createLogger('test', 'silent'),
    metrics,
  });
  closers.push(
    () => redis.disconnect(),
    () => feedRedis.disconnect(),
    () => lease.close(),
  );
  await vi.waitFor(() => expect(lease.isHeld()).toBe(true), SOON);
  return { redis, feedRedis, missed, lease };
}

it('a lease over a Cluster and a feed Redis lasts while slots move, and has all processes agree', async () => {
  const [one, other] = await Promise.all([openProcess(), openProcess()]);
  const { lease } = one;
  expect(other.lease.life()).toBe(lease.life());
  expect(lease.runIds()).toHaveProperty('size', 4);
  const life = lease.life();
  const owner = await cluster.ownerOf('{lease}');
  await cluster.moveSlot('{lease}', (owner + 1) % 3);
  await vi.waitFor(async () => expect(await one.redis.get('{lease}')).toBeNull(), SOON);
  await vi.waitFor(() => expect(lease.isHeld()).toBe(true), SOON);
  expect(lease.life()).toBe(life);
});

it('it is renewed while the slot that its key is in is being moved', async () => {
  const { redis, lease } = await openProcess();
  const [[first, last]] = [...mastersOf(redis as Cluster).values()] as [readonly [number, number]];
  const owner = await cluster.ownerOf(leaseKeyIn(last));
  const renewal = async () => Number(await redis.get(leaseKeyIn(first)));
  const life = lease.life();
  await cluster.moveSlot(leaseKeyIn(last), (owner + 1) % 3, async () => {
    const seen = await renewal();
    // Several renewals, each by another slot of the same node.
    for (let n = 1; n <= 8; n += 1) {
      const before = await renewal();
      await vi.waitFor(async () => expect(await renewal()).toBeGreaterThan(before), SOON);
    }
    expect((await renewal()) - seen).toBeGreaterThan(LEASE_MS);
    expect(lease.isHeld()).toBe(true);
  });
  expect(lease.life()).toBe(life);
});

it('it begins anew where a replica takes a master’s place, or the feed Redis begins another life', async () => {
  const { lease } = await openProcess();
  const first = lease.life();
  const owner = await cluster.ownerOf('any');
  await cluster.kill(owner);
  await vi.waitFor(() => expect(lease.isHeld()).toBe(false), SOON);
  await vi.waitFor(() => expect(lease.isHeld() && lease.life() !== first).toBe(true), SOON);
  await cluster.restart(owner);
  const second = lease.life();
  await feeds.kill();
  await vi.waitFor(() => expect(lease.isHeld()).toBe(false), SOON);
  await feeds.restart();
  await vi.waitFor(() => expect(lease.isHeld() && lease.life() !== second).toBe(true), SOON);
});

it('a planned promotion breaks no connection: the lease is held again, and others find the new master', async () => {
  const { lease } = await openProcess();
  const redis = openBlockingRedis(cluster.urls, () => undefined);
  const following = followServer(redis, lease);
  closers.push(
    () => redis.disconnect(),
    () => following.stop(),
  );
  await vi.waitFor(() => expect(following.isRight()).toBe(true), SOON);
  const [life, breaks] = [lease.life(), vi.fn()];
  redis.on('-node', breaks).on('close', breaks);
  // Not that of the master which a former test has killed.
  await cluster.promote(3 + ((cluster.masterOf('any') + 1) % 3));
  await vi.waitFor(() => expect(lease.isHeld() && lease.life() !== life).toBe(true), SOON);
  await vi.waitFor(() => expect(following.isRight()).toBe(true), SOON);
  expect(breaks).not.toHaveBeenCalled();
});

it('what Redis did not take is deleted from both, whichever slot it is in', async () => {
  const { redis, feedRedis, missed, lease } = await openProcess();
  const keys = Array.from({ length: 30 }, (_, index) => `cached:${index}`);
  await Promise.all(keys.flatMap((key) => [redis.set(key, 'old'), feedRedis.set(key, 'old')]));
  await missed.recordUntilFollowed(keys, []);
  await vi.waitFor(async () => {
    const left = await Promise.all(keys.flatMap((key) => [redis.exists(key), feedRedis.exists(key)]));
    expect(left.every((count) => count === 0)).toBe(true);
  }, SOON);
  expect(lease.isHeld()).toBe(true);
});

it('connections to either are known to be right, and one that leads elsewhere is made anew', async () => {
  const { lease } = await openProcess();
  const elsewhere = await startRedisProcess();
  const connections = [cluster.urls, [feeds.url], [elsewhere.url]].map((urls) =>
    openBlockingRedis(urls, () => undefined),
  );
  const [reader, feed, wrong] = connections.map((redis) => followServer(redis, lease));
  closers.push(...connections.map((redis) => () => redis.disconnect()));
  const breaks = vi.fn();
  connections[2]!.on('close', breaks);
  await vi.waitFor(() => expect([reader!.isRight(), feed!.isRight()]).toEqual([true, true]), SOON);
  await vi.waitFor(() => expect(breaks).toHaveBeenCalled(), SOON);
  expect(wrong!.isRight()).toBe(false);
  for (const following of [reader, feed, wrong]) following!.stop();
  await elsewhere.stop();
});

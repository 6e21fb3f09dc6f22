import { Registry } from 'prom-client';
import { expect, test, vi } from 'vitest';
import { keepCacheLease, type RenewedLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites } from '../../src/platform/cache/missed-writes.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { openPostgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase } from '../support/database.js';
import { startRedisProcess } from '../support/redis-process.js';

/** What a process has of its lease. */
export interface Process {
  readonly lease: RenewedLease;
  readonly redis: Redis;
  readonly metrics: Registry;
}

type Closers = (() => unknown)[];

/** A database and a Redis server of its own for each test, so that they run beside each other: most of their time is waiting. */
export const it = test
  // biome-ignore lint/correctness/noEmptyPattern: the fixtures that one uses are read from its pattern
  .extend('closers', ({}, { onCleanup }): Closers => {
    const closers: Closers = [];
    onCleanup(async () => {
      for (const close of closers.reverse()) await close();
    });
    return closers;
  })
  .extend('server', async ({ closers }) => {
    const server = await startRedisProcess();
    closers.push(() => server.stop());
    return server;
  })
  .extend('postgres', async ({ closers }) => {
    const database = await createTestDatabase();
    const postgres = openPostgres(database.url, {
      max: 4,
      applicationName: 'cache lease test',
      onError: () => undefined,
    });
    closers.push(
      () => database.drop(),
      () => postgres.close(),
    );
    return postgres;
  })
  .extend('open', ({ closers, postgres, server }) => {
    return async (
      url = server.url,
      following: Queryable = postgres,
      now: () => number = () => performance.now(),
    ): Promise<Process> => {
      const redis = openRedis([url], () => undefined);
      const metrics = new Registry();
      const missed = createMissedWrites({ postgres, following, metrics });
      const lease = keepCacheLease({
        redises: [redis],
        missed,
        logger: createLogger('test', 'silent'),
        metrics,
        now,
      });
      closers.push(
        () => redis.disconnect(),
        () => lease.close(),
      );
      await vi.waitFor(() => expect(lease.isHeld()).toBe(true), { timeout: 30_000 });
      return { lease, redis, metrics };
    };
  });

/** What its metric says of the lease: 1 while it is held. */
export const held = async ({ metrics }: Process): Promise<number> =>
  (await metrics.getSingleMetric('cache_lease_held')!.get()).values[0]!.value;

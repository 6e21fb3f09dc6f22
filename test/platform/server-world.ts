import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, type TestContext, vi } from 'vitest';
import { keepCacheLease, type RenewedLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites, type MissedWrites } from '../../src/platform/cache/missed-writes.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase } from '../support/database.js';
import { type MovingAddress, startMovingAddress } from '../support/moving-address.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';

export const silent = pino({ level: 'silent' });

/** What each process has of Redis, at an address of its own. */
export interface RedisUser {
  readonly address: MovingAddress;
  readonly redis: Redis;
  readonly missed: MissedWrites;
  readonly lease: RenewedLease;
}

/** Two Redis servers and a Postgres. */
export interface ServerWorld {
  readonly old: RedisProcess;
  readonly promoted: RedisProcess;
  readonly postgres: Postgres;
  /** One more process, which holds a lease. */
  open(port: number): Promise<RedisUser>;
  /** Closed with the world, before what was there earlier. */
  own(close: () => unknown): void;
}

/** Closed with its test. */
export async function openServerWorld({ onTestFinished }: TestContext): Promise<ServerWorld> {
  const [database, old, promoted] = await Promise.all([
    createTestDatabase(),
    startRedisProcess(),
    startRedisProcess(),
  ]);
  const postgres = openPostgres(database.url, {
    max: 8,
    applicationName: 'server test',
    onError: () => undefined,
  });
  const closers: (() => unknown)[] = [
    () => Promise.all([database.drop(), old.stop(), promoted.stop()]),
    () => postgres.close(),
  ];
  onTestFinished(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  }, 60_000);
  return {
    old,
    promoted,
    postgres,
    async open(port) {
      const address = await startMovingAddress(port);
      const redis = openRedis([address.url], () => undefined);
      const missed = createMissedWrites({ postgres, following: postgres, metrics: new Registry() });
      const lease = keepCacheLease({ redises: [redis], missed, logger: silent, metrics: new Registry() });
      closers.push(
        () => address.close(),
        () => redis.disconnect(),
        () => lease.close(),
      );
      await vi.waitFor(() => expect(lease.isHeld()).toBe(true), { timeout: 30_000 });
      return { address, redis, missed, lease };
    },
    own: (close) => void closers.push(close),
  };
}

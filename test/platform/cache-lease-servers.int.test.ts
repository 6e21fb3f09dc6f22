import { Registry } from 'prom-client';
import { keepCacheLease } from '../../src/platform/cache/cache-lease.js';
import { createMissedWrites } from '../../src/platform/cache/missed-writes.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { type Queryable } from '../../src/platform/postgres/postgres.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { startMovingAddress } from '../support/moving-address.js';
import { startRedisProcess } from '../support/redis-process.js';
import { held, it } from './cache-lease-world.js';

it.concurrent('of two processes on different servers only those on the newer one answer from it, for good', async ({
  expect,
  open,
  server,
  postgres,
  closers,
}) => {
  const first = await open();
  const newer = await startRedisProcess();
  closers.push(() => newer.stop());
  const second = await open(newer.url);
  expect([await held(first), await held(second)]).toEqual([0, 1]);
  // Nor does one that comes to the older one later.
  const redis = openRedis([server.url], () => undefined);
  const metrics = new Registry();
  const missed = createMissedWrites({ postgres, following: postgres, metrics });
  const late = keepCacheLease({ redises: [redis], missed, logger: createLogger('test', 'silent'), metrics });
  closers.push(
    () => redis.disconnect(),
    () => late.close(),
  );
  await redis.ping();
  for (let looks = 0; looks < 3; looks += 1) await missed.look();
  expect([late.isHeld(), first.lease.isHeld(), second.lease.isHeld()]).toEqual([false, false, true]);
});

it.concurrent('a server that was demoted is left for the server that is found at its address', async ({
  expect,
  open,
  server,
  closers,
}) => {
  const address = await startMovingAddress(server.port);
  closers.push(() => address.close());
  const { lease } = await open(address.url);
  let told = 0;
  lease.onLeave(() => {
    told += 1;
  });
  const promoted = await startRedisProcess();
  closers.push(() => promoted.stop());
  const admin = openRedis([server.url], () => undefined);
  closers.push(() => admin.disconnect());
  // New connections lead elsewhere; nothing breaks the old ones.
  address.moveTo(promoted.port);
  await admin.call('REPLICAOF', '127.0.0.1', String(promoted.port));
  await expect.poll(() => told, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
});

it.concurrent('a server that others have left is left too', async ({ expect, open, server, closers }) => {
  const address = await startMovingAddress(server.port);
  closers.push(() => address.close());
  const { lease } = await open(address.url);
  let told = 0;
  lease.onLeave(() => {
    told += 1;
  });
  const newer = await startRedisProcess();
  closers.push(() => newer.stop());
  address.moveTo(newer.port);
  await open(newer.url);
  await expect.poll(() => told, { timeout: 30_000 }).toBeGreaterThan(0);
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
});

it.concurrent('a primary whose first replica was promoted is left, though it has another replication id only since then', async ({
  expect,
  open,
  server,
  postgres,
  closers,
}) => {
  const { promise: isPromoted, resolve: goOn } = Promise.withResolvers<void>();
  let isHeldUp = false;
  const following: Queryable = {
    async query(statement, values) {
      if (isHeldUp) await isPromoted;
      return postgres.query(statement, values);
    },
  };
  // It renews its lease before its primary has a replica, and after that was promoted.
  const onOldPrimary = await open(server.url, following);
  isHeldUp = true;
  const promoted = await startRedisProcess();
  closers.push(() => promoted.stop());
  const admin = openRedis([promoted.url], () => undefined);
  closers.push(() => admin.disconnect());
  await admin.call('REPLICAOF', '127.0.0.1', String(server.port));
  await expect.poll(() => admin.info('replication'), { timeout: 10_000 }).toContain('master_link_status:up');
  await admin.call('REPLICAOF', 'NO', 'ONE');
  const onPromoted = await open(promoted.url);
  let told = 0;
  onOldPrimary.lease.onLeave(() => {
    told += 1;
  });
  isHeldUp = false;
  goOn();
  await expect.poll(() => told, { timeout: 30_000 }).toBeGreaterThan(0);
  expect([onOldPrimary.lease.isHeld(), onPromoted.lease.isHeld()]).toEqual([false, true]);
});

it.concurrent('processes that come back to a server that they had left have leases again, and find nothing of before', async ({
  expect,
  open,
  server,
  closers,
}) => {
  const address = await startMovingAddress(server.port);
  closers.push(() => address.close());
  const processes = await Promise.all([open(address.url), open(address.url)]);
  const epochs = () => Promise.all(processes.map(({ lease }) => lease.read(async (epoch) => epoch)));
  const before = await epochs();
  const other = await startRedisProcess();
  closers.push(() => other.stop());
  address.moveTo(other.port);
  const onOther = await open(other.url);
  for (const { lease } of processes) await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
  address.moveTo(server.port);
  onOther.lease.close();
  await other.kill();
  for (const { lease } of processes) await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
  const after = await epochs();
  expect(after[0]).toBe(after[1]);
  expect(before).not.toContain(after[0]);
});

it.concurrent('a process that starts where the server has been accepted for long has its lease at once', async ({
  expect,
  open,
  server,
  postgres,
  closers,
}) => {
  await open();
  await postgres.query(`UPDATE redis_epochs SET accepted_at = accepted_at - interval '1 minute'`);
  let ahead = 0;
  const redis = openRedis([server.url], () => undefined);
  const missed = createMissedWrites({ postgres, following: postgres, metrics: new Registry() });
  // Its time stands still: no waiting can end.
  const lease = keepCacheLease({
    redises: [redis],
    missed,
    logger: createLogger('test', 'silent'),
    metrics: new Registry(),
    now() {
      ahead += 0.001;
      return ahead;
    },
  });
  closers.push(
    () => redis.disconnect(),
    () => lease.close(),
  );
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
});

import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { createMissedWrites, keyOfAnyEpoch } from '../../src/platform/cache/missed-writes.js';
import { deleteNoted } from '../../src/platform/cache/noted-deletions.js';
import { type Queryable } from '../../src/platform/postgres/postgres.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { it } from './cache-lease-world.js';

it.concurrent('a read that waits for a frozen server gives way to Postgres when the lease ends', async ({
  expect,
  open,
  server,
}) => {
  const { lease, redis } = await open();
  await redis.set('value', 'old');
  expect(await lease.read(() => redis.get('value'))).toBe('old');
  server.freeze();
  expect(await lease.read(() => redis.get('value'))).toBeUndefined();
  expect(lease.isHeld()).toBe(false);
});

it.concurrent('keys that could not be deleted are deleted before anybody answers from that server again', async ({
  expect,
  open,
  server,
}) => {
  const [one, other] = [await open(), await open()];
  const epoch = (await one.lease.read(async (known) => known))!;
  await one.redis.mset('plain', 'old', `of-${epoch}`, 'old');
  await server.freeze();
  await one.lease.invalidate(['plain', keyOfAnyEpoch('of-', '')], () =>
    one.redis.del('plain', `of-${epoch}`),
  );
  expect([one.lease.isHeld(), other.lease.isHeld()]).toEqual([false, false]);
  server.thaw();
  for (const { lease, redis } of [one, other]) {
    await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
    expect(await redis.mget('plain', `of-${epoch}`)).toEqual([null, null]);
  }
});

it.concurrent('a change that Redis refuses is noted and then acknowledged; one that Postgres refuses too is not', async ({
  expect,
  open,
  postgres,
}) => {
  const { lease, metrics } = await open();
  const refuse = () => Promise.reject(new Error('refused'));
  await lease.invalidate(['one', 'two'], refuse);
  const noted = (await metrics.getSingleMetric('missed_redis_writes_total')!.get()).values;
  expect(noted).toMatchObject([{ labels: { what: 'keys' }, value: 2 }]);
  await postgres.query('ALTER TABLE missed_redis_writes RENAME TO gone');
  await expect(lease.invalidate(['three'], refuse)).rejects.toThrow('missed_redis_writes');
  await postgres.query('ALTER TABLE gone RENAME TO missed_redis_writes');
});

it.concurrent('without Postgres the lease goes on by Redis alone, and without both it ends', async ({
  expect,
  open,
  server,
  postgres,
}) => {
  let isAway = false;
  let refused = 0;
  const following: Queryable = {
    query(statement, values) {
      if (!isAway) return postgres.query(statement, values);
      refused += 1;
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    },
  };
  const { lease } = await open(server.url, following);
  isAway = true;
  // Longer than the last renewal with Postgres lasts.
  await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(8);
  await expect.poll(() => lease.isHeld()).toBe(true);
  await server.kill();
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(false);
});

it.concurrent('a Postgres that is slow is not one that is away: what it notes is not ignored', async ({
  expect,
  open,
  server,
  postgres,
}) => {
  let slowMs = 0;
  const following: Queryable = {
    async query(statement, values) {
      const answer = await postgres.query(statement, values);
      if (slowMs > 0) await pause(slowMs);
      return answer as never;
    },
  };
  const reader = await open(server.url, following);
  const writer = await open();
  await reader.redis.set('value', 'old');
  for (const ms of [400, 1_900]) {
    slowMs = ms;
    await pause(ms);
    writer.redis.disconnect();
    await writer.lease.invalidate(['value'], () => writer.redis.del('value'));
    const until = performance.now() + 3_000;
    while (performance.now() < until) {
      expect(await reader.lease.read(() => reader.redis.get('value')), `${ms} ms`).not.toBe('old');
      await pause(10);
    }
    slowMs = 0;
    await Promise.all([
      writer.redis.connect(),
      expect.poll(() => reader.lease.isHeld(), { timeout: 30_000 }).toBe(true),
    ]);
    await expect.poll(() => writer.lease.isHeld(), { timeout: 30_000 }).toBe(true);
    await reader.redis.set('value', 'old');
  }
});

it.concurrent('answers that come late, but before the lease ends, keep it', async ({
  expect,
  open,
  server,
  postgres,
}) => {
  let slowMs = 0;
  let answers = 0;
  const following: Queryable = {
    async query(statement, values) {
      await pause(slowMs);
      answers += 1;
      return postgres.query(statement, values);
    },
  };
  const { lease } = await open(server.url, following);
  slowMs = 400;
  const before = answers;
  await expect.poll(() => answers, { timeout: 30_000 }).toBeGreaterThan(before + 5);
  await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
});

it.concurrent('without Postgres the lease does not go on for ever', async ({
  expect,
  open,
  server,
  postgres,
}) => {
  let isAway = false;
  let refused = 0;
  let time = 0;
  const following: Queryable = {
    query(statement, values) {
      if (!isAway) return postgres.query(statement, values);
      refused += 1;
      return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    },
  };
  const { lease } = await open(server.url, following, () => performance.now() + time);
  isAway = true;
  time += 20_000;
  await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(3);
  expect(lease.isHeld()).toBe(false);
});

it.concurrent.for(['u<epoch>', 'u$&', "u$'"])(
  'keys of an id such as %s are deleted as they are',
  async (userId, { expect, open }) => {
    const { lease, redis } = await open();
    const epoch = (await lease.read(async (known) => known))!;
    const keys = [`tidings:{relations:${userId}}:generation`, `tidings:author:${epoch}:${userId}`];
    await redis.mset(...keys.flatMap((key) => [key, 'old']));
    await lease.invalidate([keys[0]!, keyOfAnyEpoch('tidings:author:', `:${userId}`)], () =>
      Promise.reject(new Error('refused')),
    );
    await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
    expect(await redis.mget(...keys)).toEqual([null, null]);
  },
);

it.concurrent('keys are not marked where the connection broke while they were deleted', async ({
  expect,
  server,
  postgres,
  closers,
}) => {
  const redis = openRedis([server.url], () => undefined);
  closers.push(() => redis.disconnect());
  const missed = createMissedWrites({ postgres, following: postgres, metrics: new Registry() });
  await missed.acceptEpoch('life');
  await postgres.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{waiting}', '{}')`);
  await expect(deleteNoted([redis], missed, 'life', () => false)).rejects.toThrow('broke meanwhile');
  expect(await missed.look()).toMatchObject({ hasUnapplied: true });
  await redis.del('tidings:cache-lease:deleting');
  await deleteNoted([redis], missed, 'life', () => true);
  expect(await missed.look()).toMatchObject({ hasUnapplied: false });
});

it.concurrent('a claim to delete that never expires stops nobody', async ({ expect, open, postgres }) => {
  const { redis, lease } = await open();
  await redis.lpush('tidings:cache-lease:deleting', 'garbage');
  await lease.invalidate(['value'], () => Promise.reject(new Error('refused')));
  await expect
    .poll(
      async () => (await postgres.query('SELECT FROM missed_redis_writes WHERE applied_at IS NULL')).rowCount,
      { timeout: 30_000 },
    )
    .toBe(0);
});

it.concurrent('what many noted in a long outage is made up for by one of several processes', async ({
  expect,
  open,
  postgres,
}) => {
  const processes = await Promise.all([open(), open(), open()]);
  await postgres.query(`
    INSERT INTO missed_redis_writes (keys, topics) SELECT ARRAY['key:' || n], '{}' FROM generate_series(1, 20000) n
  `);
  await expect
    .poll(
      async () => (await postgres.query('SELECT FROM missed_redis_writes WHERE applied_at IS NULL')).rowCount,
      { timeout: 60_000 },
    )
    .toBe(0);
  for (const { lease } of processes) await expect.poll(() => lease.isHeld(), { timeout: 30_000 }).toBe(true);
});

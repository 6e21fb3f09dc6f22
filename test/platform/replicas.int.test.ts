import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logging/logger.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openReplicas, type Replicas } from '../../src/platform/postgres/replicas/replicas.js';
import { checkServers } from '../../src/platform/postgres/servers-check.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { forReader } from '../../src/platform/wake-ups/reader.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { heldLease } from '../support/held-lease.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.js';

let servers: ReplicatedPostgres;
let testRedis: TestRedis;
let redis: Redis;
let primary: Postgres;
let registry: Registry;
const opened: Replicas[] = [];

const pool = { max: 4, applicationName: 'replicas', byIndex: true };

beforeAll(async () => {
  [servers, testRedis] = await Promise.all([startReplicatedPostgres(), startTestRedis()]);
  redis = openRedis([testRedis.url], () => undefined);
  primary = openPostgres(servers.primaryUrl, { ...pool, onError: () => undefined });
  await primary.query('CREATE TABLE notes (who text, said text)');
  await servers.caughtUp();
}, 120_000);
afterEach(async () => {
  await Promise.all(opened.splice(0).map((replicas) => replicas.close()));
  await servers.replica
    .query('SELECT pg_wal_replay_resume() WHERE pg_is_wal_replay_paused()')
    .catch(() => undefined);
});
afterAll(async () => {
  redis?.disconnect();
  await primary?.close();
  await Promise.all([servers?.close(), testRedis?.stop()]);
});

/** What one api process has. */
function process({ maxLagMs = 10_000, urls = [servers.replicaUrl] } = {}): Replicas {
  registry = new Registry();
  const replicas = openReplicas(
    { urls, maxLagMs },
    {
      ...{ postgres: primary, pool, redis, lease: heldLease(redis), metrics: registry },
      missedWrites: { onTopics: () => () => undefined, recordTopics: () => Promise.resolve() },
      logger: createLogger('test', 'silent'),
    },
  );
  opened.push(replicas);
  return replicas;
}

/** What somebody reads in one query, and who answered it. */
async function ask(replicas: Replicas, userId: string) {
  const viewer = { userId };
  const read = () =>
    replicas.query<{ said: string; isReplica: boolean }>(
      'SELECT said, pg_is_in_recovery() AS "isReplica" FROM (SELECT) one LEFT JOIN notes ON who = $1',
      [userId],
    );
  const { rows } = await forReader({ signal: new AbortController().signal, viewer }, read);
  return {
    said: rows.map(({ said }) => said).filter(Boolean),
    from: rows[0]!.isReplica ? 'replica' : 'primary',
  };
}

const say = (who: string, said: string) => primary.query('INSERT INTO notes VALUES ($1, $2)', [who, said]);

const untilFrom = (replicas: Replicas, from: string) =>
  expect.poll(async () => (await ask(replicas, 'somebody')).from, { timeout: 20_000 }).toBe(from);

async function reads(): Promise<Record<string, number>> {
  const { values } = await registry.getSingleMetric('replica_reads_total')!.get();
  return Object.fromEntries(
    values.map(({ labels, value }) => [`${labels.answered_by} ${labels.reason}`.trim(), value]),
  );
}

describe('a read of a list', { timeout: 60_000 }, () => {
  it('is answered by a replica, and one for nobody in particular by the primary', async () => {
    const replicas = process();
    await untilFrom(replicas, 'replica');
    const { rows } = await replicas.query('SELECT pg_is_in_recovery() AS replica');
    expect(rows).toEqual([{ replica: false }]);
  });

  it('shows what its reader wrote, through whichever process, while the replica is paused', async () => {
    const [one, other] = [process(), process()];
    await untilFrom(one, 'replica');
    await untilFrom(other, 'replica');
    await servers.pause();
    const before = (await reads())['primary own_write'] ?? 0;
    for (let n = 0; n < 20; n += 1) {
      await say('ada', `note ${n}`);
      await one.noteWrite('ada');
      for (const process of [one, other]) {
        const answer = await ask(process, 'ada');
        expect(answer.from).toBe('primary');
        expect(answer.said).toContain(`note ${n}`);
      }
    }
    expect((await ask(other, 'ben')).from).toBe('replica');
    expect((await reads())['primary own_write']).toBe(before + 20);
    await servers.resume();
    await expect.poll(async () => (await ask(other, 'ada')).from, { timeout: 20_000 }).toBe('replica');
    expect((await ask(other, 'ada')).said).toHaveLength(20);
  });

  it('goes to the primary while the replica is further behind than it may be, and is counted', async () => {
    const replicas = process({ maxLagMs: 2_000 });
    await untilFrom(replicas, 'replica');
    await servers.pause();
    await say('carl', 'unseen');
    await untilFrom(replicas, 'primary');
    expect((await reads())['primary behind']).toBeGreaterThan(0);
    const lag = await registry.getSingleMetric('replica_lag_seconds')!.get();
    expect(lag.values[0]!.value).toBeGreaterThan(2);
    await servers.resume();
    await untilFrom(replicas, 'replica');
    expect((await registry.getSingleMetric('replica_usable')!.get()).values[0]!.value).toBe(1);
  });

  it('goes to the primary while the replica is away, and back once it is there', async () => {
    const replicas = process();
    await untilFrom(replicas, 'replica');
    await servers.stopReplica();
    for (let n = 0; n < 20; n += 1) expect((await ask(replicas, 'dora')).from).toBe('primary');
    await expect.poll(async () => (await reads())['primary away'] ?? 0).toBeGreaterThan(0);
    await servers.startReplica();
    await untilFrom(replicas, 'replica');
  });

  const onReplica = (replicas: Replicas, statement: string) =>
    forReader({ signal: new AbortController().signal, viewer: { userId: 'eve' } }, () =>
      replicas.query<{ isReplica: boolean }>(statement),
    );

  it('is repeated by the primary where a replica cancels it for what it replays', async () => {
    await servers.replica.query('ALTER SYSTEM SET max_standby_streaming_delay = 0');
    await servers.replica.query('SELECT pg_reload_conf()');
    const replicas = process();
    await untilFrom(replicas, 'replica');
    const slow = onReplica(
      replicas,
      `SELECT pg_is_in_recovery() AS "isReplica", pg_sleep(CASE WHEN pg_is_in_recovery() THEN 1.8 ELSE 0 END)
       FROM (SELECT) one LEFT JOIN notes ON false`,
    );
    const isReading = `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;
    await expect.poll(async () => (await servers.replica.query(isReading)).rows.length).toBe(1);
    await primary.query('ALTER TABLE notes ADD COLUMN at timestamptz');
    const startedAt = performance.now();
    expect((await slow).rows[0]!.isReplica).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect((await reads())['primary failed']).toBe(1);
  });

  it('is repeated by the primary where a replica is too slow', async () => {
    const replicas = process();
    await untilFrom(replicas, 'replica');
    const slow = onReplica(
      replicas,
      'SELECT pg_is_in_recovery() AS "isReplica", pg_sleep(CASE WHEN pg_is_in_recovery() THEN 60 ELSE 0 END)',
    );
    expect((await slow).rows[0]!.isReplica).toBe(false);
    expect((await reads())['primary failed']).toBe(1);
  });
});

describe('a process does not start', { timeout: 60_000 }, () => {
  const check = (urls: readonly string[]) =>
    checkServers(
      {
        databaseUrl: servers.primaryUrl,
        databaseDirectUrl: undefined,
        databaseReplicas: { urls, maxLagMs: 10_000 },
      },
      'api',
    );
  let other: TestDatabase;
  beforeAll(async () => {
    other = await createTestDatabase();
  });
  afterAll(() => other?.drop());

  it('where a replica is none', async () => {
    await expect(check([servers.replicaUrl, servers.primaryUrl])).rejects.toThrow(
      /^DATABASE_REPLICA_URLS \(number 2\) leads to a server that is no replica$/,
    );
  });

  it('where a replica follows another server', async () => {
    const config = {
      databaseDirectUrl: undefined,
      databaseReplicas: { urls: [servers.replicaUrl], maxLagMs: 10_000 },
    };
    await expect(checkServers({ ...config, databaseUrl: other.url }, 'api')).rejects.toThrow(
      /^DATABASE_REPLICA_URLS \(number 1\) leads to a replica of another server than that of DATABASE_URL$/,
    );
  });

  it('where a replica has no such database, or does not take the credentials', async () => {
    await expect(check([servers.replicaUrl.replace('/product', '/postgres')])).rejects.toThrow(
      /^DATABASE_REPLICA_URLS \(number 1\) leads to another database than DATABASE_URL$/,
    );
    await expect(check([servers.replicaUrl.replace('postgres:', 'postgres:wrong')])).rejects.toThrow(
      /^DATABASE_REPLICA_URLS \(number 1\) cannot be used: password authentication failed/,
    );
  });

  it('but it does where a replica is away', async () => {
    await check([servers.replicaUrl, 'postgres://postgres@127.0.0.1:1/product']);
  });
});

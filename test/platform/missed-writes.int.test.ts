import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMissedWrites, type MissedWritesLog } from '../../src/platform/cache/missed-writes.js';
import { sql as look } from '../../src/platform/cache/missed-writes.sql.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'missed writes test',
    onError: () => undefined,
  });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

interface Process {
  readonly missed: MissedWritesLog;
  readonly received: (readonly string[] | 'all')[];
}

/** One that has looked once. */
async function openProcess(now?: () => number): Promise<Process> {
  const missed = createMissedWrites({
    postgres,
    following: postgres,
    metrics: new Registry(),
    ...(now && { now }),
  });
  await missed.look();
  const received: Process['received'] = [];
  missed.onTopics((topics) => void received.push(topics));
  return { missed, received };
}

it('topics that one process notes reach every process once, its own listeners included', async () => {
  const [one, other] = [await openProcess(), await openProcess()];
  await one.missed.recordTopics(['feed:ann', 'feed:ben']);
  for (const { missed } of [one, other, one, other]) await missed.look();
  expect([one.received, other.received]).toEqual([[['feed:ann', 'feed:ben']], [['feed:ann', 'feed:ben']]]);
});

it('a note that becomes visible after later ones is not missed', async () => {
  const [writer, reader] = [await openProcess(), await openProcess()];
  await postgres.transaction(async (tx) => {
    await tx.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{}', '{early}')`);
    await writer.missed.recordTopics(['late']);
    await reader.missed.look();
    await reader.missed.look();
    expect(reader.received).toEqual([['late']]);
  });
  await reader.missed.look();
  await reader.missed.look();
  expect(reader.received).toEqual([['late'], ['early']]);
});

it('who looks for the first time, or was away for long, reads everything again', async () => {
  let now = 0;
  const missed = createMissedWrites({
    postgres,
    following: postgres,
    metrics: new Registry(),
    now: () => now,
  });
  const received: unknown[] = [];
  missed.onTopics((topics) => void received.push(topics));
  await missed.look();
  expect(received).toEqual(['all']);
  await missed.look();
  now += 3_600_000;
  await missed.look();
  expect(received).toEqual(['all', 'all']);
});

it('a listener that was stopped is not called again', async () => {
  const { missed } = await openProcess();
  const received: unknown[] = [];
  missed.onTopics((topics) => void received.push(topics))();
  await missed.recordTopics(['unreceived']);
  await missed.look();
  expect(received).toEqual([]);
});

async function acceptedEpoch(missed: MissedWritesLog): Promise<string> {
  const epoch = randomUUID();
  await missed.acceptEpoch(epoch);
  return epoch;
}

it('while a transaction is open, what was noted beside it comes once, however much that is', async () => {
  const { missed, received } = await openProcess();
  await postgres.transaction(async (tx) => {
    await tx.query('SELECT pg_current_xact_id()');
    await postgres.query(`
      INSERT INTO missed_redis_writes (keys, topics) SELECT '{}', ARRAY['feed:' || n] FROM generate_series(1, 5001) n
    `);
    for (let looks = 0; looks < 4; looks += 1) await missed.look();
    expect(received).toEqual(['all']);
    await missed.recordTopics(['one']);
    for (let looks = 0; looks < 4; looks += 1) await missed.look();
    expect(received).toEqual(['all', ['one']]);
  });
  await missed.look();
  expect(received).toEqual(['all', ['one']]);
});

it('keys that become visible after later ones were deleted are deleted too', async () => {
  const { missed } = await openProcess();
  const epoch = await acceptedEpoch(missed);
  const applied: string[] = [];
  const apply = () => missed.applyAll(epoch, async (keys) => void applied.push(...keys));
  await postgres.transaction(async (tx) => {
    await tx.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{early}', '{}')`);
    await postgres.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{late}', '{}')`);
    expect(await missed.look()).toMatchObject({ hasUnapplied: true });
    await apply();
    expect(await missed.look()).toMatchObject({ hasUnapplied: false });
    expect(applied).toEqual(['late']);
  });
  expect(await missed.look()).toMatchObject({ hasUnapplied: true });
  await apply();
  expect(applied).toEqual(['late', 'early']);
  expect(await missed.look()).toMatchObject({ hasUnapplied: false });
});

it('what was applied is not walked again, though an old snapshot keeps it from being removed', async () => {
  const { missed } = await openProcess();
  const epoch = await acceptedEpoch(missed);
  await postgres.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await tx.query('SELECT pg_current_xact_id()');
    await postgres.query(`
      INSERT INTO missed_redis_writes (keys, topics) SELECT ARRAY['key:' || n], '{}' FROM generate_series(1, 20000) n
    `);
    const applied = new Set<string>();
    await missed.applyAll(epoch, async (keys) => keys.forEach((key) => void applied.add(key)));
    expect(applied.size).toBe(20_000);
    await missed.look();
    await postgres.query('ANALYZE missed_redis_writes');
    const { rows } = await postgres.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${look.look.text
        .replaceAll('$1', 'pg_current_snapshot()::text')
        .replaceAll('$2', 'pg_current_snapshot()::text')
        .replaceAll('$3', '5000')}`,
    );
    const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(60);
  });
});

it('a new epoch has nothing to make up for of earlier ones; processes that were at it learn of the change', async () => {
  const { missed } = await openProcess();
  const earlier = await acceptedEpoch(missed);
  await postgres.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{of-earlier}', '{}')`);
  expect(await missed.look()).toMatchObject({ hasUnapplied: true, epoch: earlier });
  const later = await acceptedEpoch(missed);
  await expect(missed.applyAll(earlier, async () => undefined)).rejects.toThrow('another Redis');
  expect(await missed.look()).toMatchObject({ hasUnapplied: false, epoch: later });
  await postgres.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{of-later}', '{}')`);
  await missed.acceptEpoch(earlier);
  expect(await missed.look()).toMatchObject({ hasUnapplied: true, epoch: later });
  await missed.applyAll(later, async () => undefined);
});

it('keys wait until somebody has deleted them; a failed deletion leaves them', async () => {
  const { missed } = await openProcess();
  const epoch = await acceptedEpoch(missed);
  await missed.recordUntilFollowed(['one', 'two'], []);
  expect(await missed.look()).toMatchObject({ hasUnapplied: true });
  await expect(missed.applyAll(epoch, () => Promise.reject(new Error('no Redis')))).rejects.toThrow(
    'no Redis',
  );
  const applied: string[] = [];
  await missed.applyAll(epoch, async (keys) => void applied.push(...keys));
  expect(applied).toEqual(['one', 'two']);
  expect(await missed.look()).toMatchObject({ hasUnapplied: false });
});

it('the newest epoch is the accepted one, and an older one never again', async () => {
  const { missed } = await openProcess();
  for (const epoch of ['old', 'new', 'old']) await missed.acceptEpoch(epoch);
  expect(await missed.look()).toMatchObject({ epoch: 'new' });
});

describe('a server that was left for another', () => {
  const server = (): { readonly now: string; readonly later: string } => {
    const run = randomUUID();
    return { now: `${run}/1`, later: `${run}/2` };
  };

  it('is not accepted while that one is used, whatever its replication id is', async () => {
    const { missed } = await openProcess();
    const [old, promoted] = [server(), server()];
    for (const epoch of [old.now, promoted.now, old.later, old.now]) await missed.acceptEpoch(epoch);
    expect(await missed.look()).toMatchObject({ epoch: promoted.now });
    const seen = await missed.look();
    await missed.noteUse(seen);
    for (const epoch of [old.later, old.now]) await missed.acceptEpoch(epoch, seen);
    expect(await missed.look()).toMatchObject({ epoch: promoted.now, life: promoted.now });
  });

  it('comes back once nobody uses that one, in another life each time', async () => {
    const { missed } = await openProcess();
    const [old, promoted] = [server(), server()];
    for (const epoch of [old.now, promoted.now]) await missed.acceptEpoch(epoch);
    const lives: unknown[] = [];
    for (const epoch of [old.now, promoted.now, old.now]) {
      const seen = await missed.look();
      // Two processes offer it at once.
      await Promise.all([missed.acceptEpoch(epoch, seen), missed.acceptEpoch(epoch, seen)]);
      lives.push((await missed.look()).life);
    }
    expect(lives).toEqual([`${old.now}.1`, `${promoted.now}.1`, `${old.now}.2`]);
    await missed.acceptEpoch(old.later, { epoch: promoted.now, uses: 0 });
    expect(await missed.look()).toMatchObject({ epoch: old.later, life: old.later });
  });

  it('has nothing to make up for of its earlier life, and processes that were at that learn of the change', async () => {
    const { missed } = await openProcess();
    const [old, promoted] = [server(), server()];
    await missed.acceptEpoch(old.now);
    await missed.acceptEpoch(promoted.now);
    await postgres.query(`INSERT INTO missed_redis_writes (keys, topics) VALUES ('{missed}', '{}')`);
    await missed.acceptEpoch(old.now, await missed.look());
    expect(await missed.look()).toMatchObject({ hasUnapplied: false });
    await expect(missed.applyAll(old.now, async () => undefined)).rejects.toThrow('another Redis');
    await missed.applyAll(`${old.now}.1`, async () => undefined);
  });
});

it('the accepted server stays it with another replication id', async () => {
  const { missed } = await openProcess();
  const run = randomUUID();
  for (const epoch of [`${run}/1`, `${run}/2`]) await missed.acceptEpoch(epoch);
  expect(await missed.look()).toMatchObject({ epoch: `${run}/2` });
});

import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql as sweepSql } from '../../src/domains/notifications/delivery/sweep.sql.js';
import { createInbox } from '../../src/domains/notifications/inbox/index.js';
import { findItems } from '../../src/domains/notifications/inbox/item.js';
import { sql as putSql } from '../../src/domains/notifications/inbox/put.sql.js';
import { systemClock } from '../../src/platform/clock.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { forgetting } from './forgetting.js';
import { firstPage } from './inbox-world.js';
import { silent } from './with-sandbox.js';

const prisma = new URL('../../prisma/', import.meta.url);
const FIRST_OF_THESE = '20261125220000';
const { put } = putSql;
const { makeMonths } = sweepSql;
const MONTH_MS = 31 * 86_400_000;

let database: TestDatabase;
let postgres: Postgres;

const open = (url: string) =>
  openPostgres(url, { max: 4, applicationName: 'test', onError: () => undefined });
beforeEach(async () => {
  database = await createTestDatabase();
  postgres = open(database.url);
});
afterEach(async () => {
  await postgres.close();
  await database.drop();
});

const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await postgres.query<Row & Record<string, unknown>>(sql, values)).rows;
const itemOf = (itemId: string, userId: string) => ({ itemId, userId, notificationType: 'T', body: 'x' });
const putAt = (at: Date, ...items: readonly object[]) => postgres.query(put, [JSON.stringify(items), at]);
const partitionOf = async (itemId: string) =>
  (
    await rows<{ partition: string }>(
      'SELECT tableoid::regclass::text AS partition FROM inbox_entries WHERE item_id = $1',
      [itemId],
    )
  ).map(({ partition }) => partition);
/** The first instant that the table of before does not take. */
const firstMonth = async () =>
  (await rows<{ at: Date }>("SELECT partition_until('inbox_items'::regclass) AS at"))[0]!.at;
const nameOf = (at: Date) => `inbox_entries_${at.toISOString().slice(0, 7).replace('-', '')}`;
/** A worker that sweeps at that time makes the months. */
const sweepAt = (at: Date) => postgres.query(makeMonths, ['inbox_entries', at.toISOString().slice(0, 10)]);
const itemAt = (at: Date) => v7({ msecs: at.getTime() });

describe('the items of inboxes', () => {
  it('lie in the month in which they came, and are read, found and marked in all of them', async () => {
    const first = await firstMonth();
    const times = [new Date(), first, new Date(first.getTime() + MONTH_MS)];
    await sweepAt(first);
    const ids = times.map(itemAt);
    for (const [n, at] of times.entries()) await putAt(at, itemOf(ids[n]!, 'ann'));
    expect(await Promise.all(ids.map(partitionOf))).toEqual([
      ['inbox_items'],
      [nameOf(times[1]!)],
      [nameOf(times[2]!)],
    ]);
    const inbox = createInbox({
      postgres,
      clock: systemClock,
      wakeUps: { publish: async () => undefined },
      logger: silent,
      report: async () => undefined,
    });
    const page = await inbox.page('ann', firstPage, 'ALL');
    expect(page.edges.map(({ node }) => node.itemId)).toEqual(ids.toReversed());
    expect(page.unreadCount).toBe(3);
    expect(await inbox.mark('ann', 'READ', [ids[2]!, ids[0]!, ids[0]!])).toMatchObject({
      value: { changed: 2, unreadCount: 1 },
    });
    expect(await inbox.mark('ann', 'READ', null)).toMatchObject({
      value: { changed: 1, unreadCount: 0 },
    });
    const found = await findItems(postgres, 'ann', [...ids, randomUUID()]);
    expect(found.map(({ change }) => change).sort()).toEqual([4, 5, 6]);
  });

  it('are there once, however often and whenever they are put, also where their id says no time', async () => {
    const first = await firstMonth();
    await sweepAt(first);
    for (const id of [itemAt(new Date()), randomUUID()]) {
      await putAt(new Date(first.getTime() - 1), itemOf(id, 'bob'));
      await Promise.all([
        putAt(first, itemOf(id, 'bob')),
        putAt(first, itemOf(id, 'bob'), itemOf(id, 'bob')),
        putAt(new Date(first.getTime() + MONTH_MS), itemOf(id, 'bob')),
      ]);
      expect(await partitionOf(id)).toEqual(['inbox_items']);
    }
    expect(await rows("SELECT last_change::int AS last FROM inboxes WHERE user_id = 'bob'")).toEqual([
      { last: 2 },
    ]);
  });

  it('are there once and found by id also where the clock that made the id is hours ahead', async () => {
    const now = Date.now();
    const id = itemAt(new Date(now + 3 * 3_600_000));
    for (const at of [now, now + 1_000]) await putAt(new Date(at), itemOf(id, 'fay'));
    expect(await partitionOf(id)).toEqual(['inbox_items']);
    expect(await findItems(postgres, 'fay', [id])).toHaveLength(1);
  });

  it('have their months also where a clock that was months ahead has made later ones before', async () => {
    const first = await firstMonth();
    await sweepAt(new Date(first.getTime() + 3 * MONTH_MS));
    await sweepAt(first);
    const id = itemAt(first);
    await putAt(first, itemOf(id, 'gus'));
    expect(await partitionOf(id)).toEqual([nameOf(first)]);
  });

  it('stay where somebody took their month out before all of it was old enough', async () => {
    const first = await firstMonth();
    await sweepAt(first);
    await putAt(first, itemOf(itemAt(first), 'hal'));
    await rows(`ALTER TABLE inbox_entries DETACH PARTITION ${nameOf(first)}`);
    expect(await forgetting(postgres, { now: () => first.getTime() }).itemMonths(1_000)).toBe(0);
    expect(await rows(`SELECT FROM ${nameOf(first)}`)).toHaveLength(1);
  });

  it('are looked for by id in the months since it was made alone', async () => {
    const first = await firstMonth();
    await sweepAt(first);
    const id = itemAt(new Date(first.getTime() + MONTH_MS));
    await putAt(new Date(first.getTime() + MONTH_MS), itemOf(id, 'cid'));
    const plan = await rows<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, COSTS OFF) SELECT e.item_id FROM unnest($1::uuid[]) AS w (item_id) CROSS JOIN LATERAL (
         SELECT * FROM inbox_entries WHERE item_id = w.item_id AND created_at >= uuid_earliest(w.item_id) OFFSET 0) AS e`,
      [[id]],
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/ on inbox_items .*never executed/);
  });

  it('go with their month once all of it is old enough, without a look at one of them', async () => {
    const first = await firstMonth();
    await sweepAt(first);
    const ids = [new Date(), first, new Date(first.getTime() + MONTH_MS)].map(itemAt);
    await putAt(new Date(), itemOf(ids[0]!, 'dan'));
    await putAt(first, itemOf(ids[1]!, 'dan'));
    await putAt(new Date(first.getTime() + MONTH_MS), itemOf(ids[2]!, 'dan'));
    // A year after the first month was over.
    let now = first.getTime() + MONTH_MS + 365 * 86_400_000;
    const { itemMonths, forgotten } = forgetting(postgres, { now: () => now });
    // A backup reads.
    const { promise, resolve } = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const backup = postgres.transaction(async (tx) => {
      await tx.query('LOCK TABLE inbox_entries IN ACCESS SHARE MODE');
      reading.resolve();
      await promise;
    });
    await reading.promise;
    expect(await itemMonths(1_000)).toBe(0);
    await putAt(first, itemOf(itemAt(first), 'dan'));
    resolve();
    await backup;
    while ((await itemMonths(1_000)) > 0);
    expect(forgotten.inbox_months).toBe(2);
    expect((await rows('SELECT item_id AS id FROM inbox_entries')).map(({ id }) => id)).toEqual([ids[2]]);
    expect(await rows("SELECT FROM pg_class WHERE relname IN ('inbox_items', $1)", [nameOf(first)])).toEqual(
      [],
    );
    // What came before is gone; nobody looks for it any more.
    now += 365 * 86_400_000;
    expect(await forgetting(postgres, { now: () => now }).items(1_000)).toBe(0);
  });

  it('that came while their month had no partition go one by one', async () => {
    const first = await firstMonth();
    const ids = [first, new Date(first.getTime() + 86_400_000)].map(itemAt);
    await putAt(first, itemOf(ids[0]!, 'dan'));
    await putAt(new Date(first.getTime() + 86_400_000), itemOf(ids[1]!, 'dan'));
    expect(await partitionOf(ids[0]!)).toEqual(['inbox_entries_default']);
    const { strayItems, forgotten } = forgetting(postgres, {
      now: () => first.getTime() + 365 * 86_400_000 + 1_000,
    });
    expect(await strayItems(1_000)).toBe(1);
    expect(forgotten.inbox_items).toBe(1);
    expect((await rows('SELECT item_id AS id FROM inbox_entries')).map(({ id }) => id)).toEqual([ids[1]]);
  });
});

describe('an upgraded database', () => {
  let folder: string;
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const FORMER_PUT = `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, change)
    VALUES ($1, $2, 'T', 'x', now(), $3) ON CONFLICT (item_id) DO NOTHING`;

  it('has every item where it was, copies none, and goes on with processes of the former version', async () => {
    await rows('DROP SCHEMA public CASCADE');
    await rows('CREATE SCHEMA public');
    folder = await mkdtemp(path.join(tmpdir(), 'tidings-inbox-'));
    await cp(prisma, folder, {
      recursive: true,
      filter: (source) => {
        const name = path.basename(source);
        return (
          path.basename(path.dirname(source)) !== 'functions' &&
          (!/^\d{14}_/.test(name) || name < FIRST_OF_THESE)
        );
      },
    });
    await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
    const [old, formerly] = [randomUUID(), itemAt(new Date())];
    await rows(
      `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, change)
       SELECT gen_random_uuid(), 'u' || n, 'T', 'x', now() - n * interval '1 hour', 1 FROM generate_series(1, 1000) n`,
    );
    await rows(
      "INSERT INTO inboxes (user_id, last_change) SELECT 'u' || n, 1 FROM generate_series(1, 1000) n",
    );
    await rows(FORMER_PUT, [old, 'eve', 1]);
    const fileOf = () => rows("SELECT pg_relation_filenode('inbox_items') AS file");
    const before = await fileOf();
    await migrate(database.url);
    expect(await fileOf()).toEqual(before);
    expect(await rows('SELECT count(*)::int AS items FROM inbox_entries')).toEqual([{ items: 1_001 }]);
    await rows(FORMER_PUT, [formerly, 'eve', 2]);
    await rows("INSERT INTO inboxes VALUES ('eve', 2)");
    await putAt(new Date(), itemOf(formerly, 'eve'), itemOf(old, 'eve'));
    await rows(FORMER_PUT, [old, 'eve', 3]);
    const found = await findItems(postgres, 'eve', [old, formerly]);
    expect(found.map(({ change }) => change).sort()).toEqual([1, 2]);
  });
});

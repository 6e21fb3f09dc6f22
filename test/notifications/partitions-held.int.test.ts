import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const DAY = '2026-11-20';
let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 6, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

const makePartitions = async (days: number) =>
  (
    await postgres.query<{ made: number }>(
      'SELECT ensure_delivery_event_partitions($1::date - 1, $2) AS made',
      [DAY, days],
    )
  ).rows[0]!.made;
const write = () =>
  postgres.transaction(async (tx) => {
    await tx.query("SET LOCAL lock_timeout = '20ms'");
    await tx.query(
      `INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
       VALUES (gen_random_uuid(), 1, gen_random_uuid(), 'QUEUED', 'QUEUED', $1::date + interval '12 hours')`,
      [DAY],
    );
  });

it('while a dump holds the table, days to come wait, and events are written without waiting behind them', async () => {
  expect(await makePartitions(1)).toBe(1);
  await postgres.transaction(async (dump) => {
    await dump.query('LOCK TABLE delivery_events IN ACCESS SHARE MODE');
    let isOver = false;
    const trying = (async () => {
      let made = 0;
      while (!isOver) made += await makePartitions(3);
      return made;
    })();
    for (let event = 0; event < 50; event += 1) await write();
    isOver = true;
    expect(await trying).toBe(0);
  });
  expect(await makePartitions(3)).toBe(2);
  const { rows } = await postgres.query<{ indexes: number }>(
    `SELECT count(*)::int AS indexes FROM pg_index WHERE indrelid = ANY ($1::regclass[]) GROUP BY indrelid`,
    [['delivery_events_20261120', 'delivery_events_20261122', 'delivery_events_default']],
  );
  expect(new Set(rows.map(({ indexes }) => indexes)).size).toBe(1);
  expect(rows).toHaveLength(3);
});

it('while a dump holds inboxes, months to come wait, and items are written without waiting behind them', async () => {
  const makeMonths = async () =>
    (
      await postgres.query<{ made: number }>(
        "SELECT ensure_month_partitions('inbox_entries', current_date, 4) AS made",
      )
    ).rows[0]!.made;
  await postgres.transaction(async (dump) => {
    await dump.query('LOCK TABLE inbox_entries IN ACCESS SHARE MODE');
    let isOver = false;
    const trying = (async () => {
      let made = 0;
      while (!isOver) made += await makeMonths();
      return made;
    })();
    for (let item = 0; item < 50; item += 1)
      await postgres.transaction(async (tx) => {
        await tx.query("SET LOCAL lock_timeout = '20ms'");
        await tx.query(
          `INSERT INTO inbox_entries (item_id, user_id, notification_type, body, created_at, change)
           VALUES (gen_random_uuid(), 'ann', 'T', 'x', now(), $1)`,
          [item],
        );
      });
    isOver = true;
    expect(await trying).toBe(0);
  });
  expect(await makeMonths()).toBeGreaterThan(0);
  const { rows } = await postgres.query<{ unattached: number }>(
    `SELECT count(*)::int AS unattached FROM pg_class i
     WHERE i.relkind = 'I' AND i.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'inbox_entries'::regclass)
       AND NOT i.relispartition
       AND (SELECT count(*) FROM pg_inherits WHERE inhparent = i.oid)
         <> (SELECT count(*) FROM pg_inherits WHERE inhparent = 'inbox_entries'::regclass)`,
  );
  expect(rows).toEqual([{ unattached: 0 }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

// Columns that are written from now() and compared with a later now(): new ones belong here.
it.each([
  ['outbox', 'due_at'],
  ['schedules', 'due_at'],
  ['webhook_backlogs', 'due_at'],
  ['webhooks', 'paused_until'],
])('%s.%s is not rounded up: what is due now is found by a query right after', async (table, column) => {
  await postgres.query(
    `CREATE TEMPORARY TABLE kept_${table} AS SELECT ${column} AS kept, ${column}::timestamptz(6) AS given FROM ${table} WITH NO DATA`,
  );
  const { rows } = await postgres.query(
    `WITH instants AS (
       INSERT INTO kept_${table}
       SELECT instant, instant
       FROM generate_series(1, 999) AS n, LATERAL (SELECT '2026-01-01'::timestamptz + n * interval '1 microsecond') AS o (instant)
       RETURNING kept, given)
     SELECT count(*)::int AS instants, count(*) FILTER (WHERE kept > given)::int AS late FROM instants`,
  );
  expect(rows).toEqual([{ instants: 999, late: 0 }]);
});

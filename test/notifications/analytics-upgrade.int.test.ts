import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '../../src/domains/notifications/analytics/reconcile.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const prisma = new URL('../../prisma/', import.meta.url);
const FIRST_OF_THESE = '20261124110000';
const FIRST_HOUR = new Date('2026-10-03T07:00:00Z');
const SETTLED = new Date('2026-11-20T13:00:00Z');

let database: TestDatabase;
let folder: string;
let postgres: Postgres;

/** A database of the former version, which has counted for seven weeks. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-analytics-'));
  postgres = openPostgres(database.url, { max: 2, applicationName: 'test', onError: () => undefined });
  await postgres.query('DROP SCHEMA public CASCADE');
  await postgres.query('CREATE SCHEMA public');
  await cp(prisma, folder, {
    recursive: true,
    // Functions may need columns of later migrations.
    filter: (source) => {
      const name = path.basename(source);
      return (
        path.basename(path.dirname(source)) !== 'functions' &&
        (!/^\d{14}_/.test(name) || name < FIRST_OF_THESE)
      );
    },
  });
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
  await postgres.query('UPDATE notification_rollup_state SET closed_until = $1, settled_until = $1', [
    SETTLED,
  ]);
  await postgres.query(
    `INSERT INTO notification_rollups (seconds, starts_at, channel, priority, notification_type, template_id, sent)
     SELECT 3600, at, 'sms', 'low', 'T', 'T', 1 FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', '1 hour') AS at`,
    [FIRST_HOUR, SETTLED],
  );
  await migrate(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

it('an upgraded database gets a day for each whose hours are settled, step by step', async () => {
  const now = SETTLED.getTime() + 15 * 60_000;
  await reconcile({ postgres, clock: { now: () => now } }, new AbortController().signal);
  const { rows } = await postgres.query<{ days: number; sent: number }>(
    'SELECT count(*)::int AS days, sum(sent)::int AS sent FROM notification_rollups WHERE seconds = 86400',
  );
  // From 7 o'clock of the first day on.
  expect(rows[0]).toEqual({ days: 48, sent: 48 * 24 - 7 });
});

it('what processes of the former version say is understood', async () => {
  await postgres.query(
    "UPDATE notification_rollup_state SET stream_position = '1-1' WHERE stream_position = '0-0'",
  );
  await postgres.query(
    'UPDATE notification_rollup_state SET settled_until = $2 WHERE settled_until = $1 AND closed_until >= $1',
    [SETTLED, new Date('2026-11-19T12:00:00Z')],
  );
  const { rows } = await postgres.query('SELECT days_until FROM notification_rollup_state');
  expect(rows).toEqual([{ days_until: new Date('2026-11-19T00:00:00Z') }]);
  expect(
    (await postgres.query("SELECT forget_event_days('2026-11-01'::date, 10000) AS dropped")).rows,
  ).toEqual([{ dropped: 0 }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql as inbox } from '../../src/domains/notifications/inbox/page.sql.js';
import { sql as deliveries } from '../../src/domains/notifications/lifecycle/pages.sql.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 1, applicationName: 'inbox pages', onError: () => undefined });
  // Three items of 40,000 are unread, three were archived; of somebody else all were archived but three.
  await postgres.query(
    `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, read_at, archived_at, change)
     SELECT gen_random_uuid(), u.user_id, 'T', 'x', '2026-01-01'::timestamptz + n * interval '1 s',
            CASE WHEN n > 3 THEN now() END, CASE WHEN (n BETWEEN 4 AND 6) <> (u.user_id = 'tidy' AND n > 3) THEN now() END, n
     FROM generate_series(1, 40000) n CROSS JOIN (VALUES ('keeper'), ('tidy')) AS u (user_id)`,
  );
  await postgres.query(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, created_at)
     SELECT gen_random_uuid(), gen_random_uuid(), n::text, 'p', 'keeper', 'T', 'push', 'high', 'SENT', 5, '{}',
            '2026-01-01'::timestamptz + n * interval '1 s'
     FROM generate_series(1, 40000) n`,
  );
  await postgres.query('VACUUM ANALYZE inbox_items');
  await postgres.query('VACUUM ANALYZE deliveries');
  await postgres.query('SET plan_cache_mode = force_generic_plan');
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

/** Of a statement whose plan is kept, as those of a process are. */
async function blocksOf(text: string, values: readonly (string | number)[]): Promise<number> {
  await postgres.query(`PREPARE kept AS ${text}`);
  const { rows } = await postgres.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE kept(${values.map((value) => `'${value}'`).join(', ')})`,
  );
  await postgres.query('DEALLOCATE kept');
  const plan = rows[0]!['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
}

const newest = ['infinity', highest];
const oldest = ['-infinity', lowest];
const deep = ['2026-01-01T00:01:00Z', lowest];
it.each([
  ['the newest of an inbox', inbox.allForward, 'keeper', newest],
  ['a page at the end of an inbox', inbox.allForward, 'keeper', deep],
  ['an inbox of which nearly all was archived', inbox.allForward, 'tidy', newest],
  ['the oldest of an inbox', inbox.allBackward, 'keeper', oldest],
  ['few unread behind many that were read', inbox.unreadForward, 'keeper', newest],
  ['few unread, oldest first', inbox.unreadBackward, 'keeper', oldest],
  ['few archived behind many that were not', inbox.archivedForward, 'keeper', newest],
  ['a page at the end of the archived', inbox.archivedForward, 'tidy', deep],
  ['the oldest of the archived', inbox.archivedBackward, 'tidy', oldest],
  ["the newest of a user's deliveries", deliveries.ofUserForward, 'keeper', newest],
  ["a page at the end of a user's deliveries", deliveries.ofUserForward, 'keeper', deep],
  ["the oldest of a user's deliveries", deliveries.ofUserBackward, 'keeper', oldest],
] as const)('%s is read in a few blocks', async (_, statement, userId, place) => {
  expect(await blocksOf(statement.text, [userId, ...place, 21])).toBeLessThan(60);
});

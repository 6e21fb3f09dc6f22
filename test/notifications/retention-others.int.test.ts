import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { forgetting } from './forgetting.js';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

describe('an inbox', () => {
  it('lets go what is older than a year, as many at once as is allowed, and keeps the rest', async () => {
    await postgres.query(
      `INSERT INTO inboxes (user_id, last_change) SELECT 'reader-' || n, 4 FROM generate_series(1, 5) AS n`,
    );
    await postgres.query(
      `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, change)
       SELECT gen_random_uuid(), 'reader-' || u, 'T', 'x', now() - CASE WHEN n <= 3 THEN interval '366 days' ELSE interval '364 days' END, n
       FROM generate_series(1, 5) AS u, generate_series(1, 4) AS n`,
    );
    const { items, forgotten } = forgetting(postgres);
    let calls = 0;
    for (; (await items(2)) === 2; calls++)
      expect(forgotten.inbox_items).toBeLessThanOrEqual(2 * (calls + 1));
    const { rows } = await postgres.query('SELECT change FROM inbox_items');
    expect(rows).toEqual(Array.from({ length: 5 }, () => ({ change: 4 })));
  });

  it('lets go without looking at what it keeps', async () => {
    await postgres.query(
      `INSERT INTO inboxes (user_id, last_change) SELECT 'many-' || n, 1 FROM generate_series(1, 20000) AS n`,
    );
    await postgres.query(
      `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, change)
       SELECT gen_random_uuid(), 'many-' || n, 'T', 'x', now() - CASE WHEN n <= 30 THEN interval '366 days' ELSE interval '3 days' END, 1
       FROM generate_series(1, 20000) AS n`,
    );
    await postgres.query('ANALYZE inbox_items');
    const steps: number[] = [];
    const measuring = {
      query: (statement: { text: string }, values: readonly unknown[]) =>
        postgres.transaction(async (tx) => {
          await tx.query('SAVEPOINT before_it');
          const { blocks } = await costOf(tx, statement, values);
          steps.push(blocks);
          await tx.query('ROLLBACK TO SAVEPOINT before_it');
          return tx.query(statement as never, values as never);
        }),
    } as unknown as Postgres;
    const { items, forgotten } = forgetting(measuring);
    while ((await items(10)) === 10);
    expect(forgotten.inbox_items).toBe(30);
    expect(steps.length).toBeLessThanOrEqual(5);
    // About 300; more where an autovacuum runs beside it. The table has twenty times as many.
    expect(Math.max(...steps)).toBeLessThan(1_000);
  });
});

describe('alerts', () => {
  it('go once they are over for long; active ones stay, and numbers go on', async () => {
    await postgres.query(
      `INSERT INTO alerts (alert_id, name, severity, message, value, threshold, raised_at, resolved_at, change)
       VALUES (gen_random_uuid(), 'old', 'critical', '', 1, 1, now() - interval '100 days', now() - interval '99 days', 1),
              (gen_random_uuid(), 'active', 'critical', '', 1, 1, now() - interval '100 days', NULL, 2),
              (gen_random_uuid(), 'young', 'critical', '', 1, 1, now() - interval '100 days', now() - interval '1 day', 3),
              (gen_random_uuid(), 'newest', 'critical', '', 1, 1, now() - interval '100 days', now() - interval '98 days', 4)`,
    );
    expect(await forgetting(postgres).alerts(4_000)).toBe(1);
    const { rows } = await postgres.query('SELECT name FROM alerts ORDER BY change');
    expect(rows).toEqual([{ name: 'active' }, { name: 'young' }, { name: 'newest' }]);
  });
});

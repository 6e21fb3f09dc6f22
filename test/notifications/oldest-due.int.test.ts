import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOldestDue } from '../../src/domains/notifications/delivery/oldest-due.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 2, applicationName: 'oldest-due', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

it.each(['SCHEDULED', 'RETRYING'] as const)(
  'where all that is %s is due tomorrow, what comes to be due at once is not hidden behind it',
  async (status) => {
    const add = (dueAt: Date) =>
      postgres.query(
        `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                                 priority, status, max_retries, rendered_content, due_at, next_retry_at)
         VALUES ($1, $2, 'n', 'p', 'u', 'T', 'push', 'high', $3, 5, '{}', $4, $4)`,
        [randomUUID(), randomUUID(), status, dueAt],
      );
    let now = 0;
    const oldestDue = createOldestDue({ postgres }, () => now);
    await add(new Date(Date.now() + 86_400_000));
    for (let minute = 0; minute < 3; minute++) {
      await oldestDue(status, 'high');
      now += 60_000;
    }
    const dueAt = new Date();
    await add(dueAt);
    expect((await oldestDue(status, 'high')).getTime()).toBeLessThanOrEqual(dueAt.getTime());
  },
);

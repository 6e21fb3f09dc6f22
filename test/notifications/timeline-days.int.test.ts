import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTimelines } from '../../src/domains/notifications/lifecycle/find.js';
import { sql as find } from '../../src/domains/notifications/lifecycle/find.sql.js';
import { sql as follow } from '../../src/domains/notifications/lifecycle/follow.sql.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const { timelines } = find;
const { eventsAfter } = follow;

let database: TestDatabase;
let postgres: Postgres;
let old: { request_id: string; delivery_id: string };

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'timelines', onError: () => undefined });
  // A request every five minutes for 60 days, with two events each.
  await postgres.query("SELECT ensure_delivery_event_partitions((now() - interval '61 days')::date, 62)");
  await postgres.query(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id,
                                        last_event, last_event_at, created_at)
     SELECT gen_random_uuid(), 'p', n::text, 'T', 'high', 't', 'c', 2, at, at
     FROM generate_series(1, 60 * 288) n CROSS JOIN LATERAL (SELECT date_trunc('ms', now() - n * interval '5 min') AS at) AS x`,
  );
  await postgres.query(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, created_at)
     SELECT gen_random_uuid(), request_id, notification_id, producer, 'u', type, 'push', 'high', 'SENT', 5, '{}', created_at
     FROM notification_requests`,
  );
  await postgres.query(
    `INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
     SELECT request_id, n, delivery_id, CASE n WHEN 1 THEN 'CREATED' ELSE 'SENT' END, 'SENT', created_at
     FROM deliveries CROSS JOIN generate_series(1, 2) n`,
  );
  await postgres.query('VACUUM ANALYZE');
  const { rows } = await postgres.query<typeof old>(
    "SELECT request_id, delivery_id FROM deliveries WHERE created_at < now() - interval '50 days' LIMIT 1",
  );
  old = rows[0]!;
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const eventsOf = async (deliveryId: string) =>
  (await findTimelines(postgres, [deliveryId])).get(deliveryId)?.map(({ event }) => event);

it('a timeline looks at the days alone on which its request lived', async () => {
  expect(await eventsOf(old.delivery_id)).toEqual(['CREATED', 'SENT']);
  expect((await costOf(postgres, timelines, [[old.delivery_id]])).blocks).toBeLessThan(40);
  expect((await costOf(postgres, eventsAfter, [old.request_id, 0, null, 500])).blocks).toBeLessThan(40);
  const { rows } = await postgres.query<{ id: string }>('SELECT delivery_id AS id FROM deliveries LIMIT 25');
  expect((await costOf(postgres, timelines, [rows.map(({ id }) => id)])).blocks).toBeLessThan(25 * 30);
});

it('what happens weeks later is in it', async () => {
  const step = {
    deliveryId: old.delivery_id,
    status: 'DELIVERED',
    attempt: 0,
    at: new Date().toISOString(),
    events: [{ event: 'OPENED', status: 'DELIVERED' }],
  };
  await postgres.query('SELECT * FROM apply_transitions($1)', [JSON.stringify([step])]);
  expect(await eventsOf(old.delivery_id)).toEqual(['CREATED', 'SENT', 'OPENED']);
  const { rows } = await postgres.query(eventsAfter, [old.request_id, 2, null, 500]);
  expect(rows).toHaveLength(1);
});

it('and what a former version wrote, which does not say when it ended', async () => {
  const [requestId, deliveryId] = [randomUUID(), randomUUID()];
  await postgres.query(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id,
                                        last_event, created_at)
     VALUES ($1, 'p', 'former', 'T', 'high', 't', 'c', 1, now() - interval '40 days')`,
    [requestId],
  );
  await postgres.query(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, created_at)
     VALUES ($2, $1, 'former', 'p', 'u', 'T', 'push', 'high', 'SENT', 5, '{}', now() - interval '40 days')`,
    [requestId, deliveryId],
  );
  await postgres.query(
    "INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at) VALUES ($1, 1, $2, 'SENT', 'SENT', now() - interval '3 days')",
    [requestId, deliveryId],
  );
  expect(await eventsOf(deliveryId)).toEqual(['SENT']);
});

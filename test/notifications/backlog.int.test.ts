import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBacklog } from '../../src/domains/notifications/backlog/backlog.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'backlog', onError: () => undefined });
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});
beforeEach(async () => {
  for (const table of [
    'deliveries',
    'notification_requests',
    'delivery_events',
    'failed_notifications',
    'digest_items',
  ])
    await postgres.query(`DELETE FROM ${table}`);
});

interface Row {
  readonly channel?: string;
  readonly status: string;
  readonly count?: number;
  readonly error?: string;
  readonly event?: readonly [event: string, detail: object | null];
  readonly suppression?: string;
  readonly fallbackFor?: string;
  /** Minutes ago. */
  readonly age?: number;
}

/** Deliveries of one request each, a second apart, the oldest first; answers their ids. */
async function add({
  channel = 'push',
  status,
  count = 1,
  error,
  event,
  age = 60,
  ...row
}: Row): Promise<string[]> {
  const { rows } = await postgres.query<{ id: string; request: string }>(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
       status, max_retries, rendered_content, created_at, queued_at, next_retry_at, due_at, last_error, suppression, fallback_for_id)
     SELECT new_uuid_v7(at), new_uuid_v7(at), 'n', 'shop', 'u', 'T', $1, 'low', $2::text, 5, '{}', at,
       CASE WHEN $2::text <> 'SCHEDULED' THEN at END, CASE WHEN $2::text = 'RETRYING' THEN now() + interval '1 minute' END,
       CASE WHEN $2::text = 'SCHEDULED' THEN now() + interval '1 day' END, $3, $4, $5
     FROM generate_series(1, $6::int) n, LATERAL (
       SELECT date_trunc('milliseconds', now() - $7::int * interval '1 minute' + n * interval '1 second') AS at) AS t
     RETURNING delivery_id AS id, request_id AS request`,
    [channel, status, error ?? null, row.suppression ?? null, row.fallbackFor ?? null, count, age],
  );
  await postgres.query(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event,
       last_event_at, created_at)
     SELECT request_id, 'shop', 'n', 'T', 'low', 't', 'c', 2, created_at, created_at FROM deliveries WHERE request_id = ANY ($1)`,
    [rows.map(({ request }) => request)],
  );
  await postgres.query(
    `INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, at)
     SELECT d.request_id, e.number, d.delivery_id, e.event, d.status, e.detail, d.created_at
     FROM deliveries d, (VALUES (1, 'CREATED', NULL), (2, $2::text, $3::jsonb)) AS e (number, event, detail)
     WHERE d.delivery_id = ANY ($1)`,
    [rows.map(({ id }) => id), event?.[0] ?? 'QUEUED', JSON.stringify(event?.[1] ?? null)],
  );
  return rows.map(({ id }) => id);
}

const bury = (ids: readonly string[], error: string) =>
  postgres.query(
    `INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
     SELECT delivery_id, 'n', 'u', channel, $2, 6, created_at, created_at FROM deliveries WHERE delivery_id = ANY ($1)`,
    [ids, error],
  );

const read = async () => (await createBacklog(postgres)()).map(({ since, ...entry }) => entry);
const exactly = (count: number) => ({ count, countIsEstimate: false });

describe('the backlog', () => {
  it('is empty where nothing waits, whatever is over', async () => {
    await add({ status: 'DELIVERED', count: 3 });
    expect(await read()).toEqual([]);
  });

  it('says of each channel what waits and why, the longest waiting first', async () => {
    const [waiting] = await add({ status: 'QUEUED', count: 3, age: 90 });
    const [retrying] = await add({
      channel: 'sms',
      status: 'RETRYING',
      count: 2,
      age: 80,
      error: 'TIMEOUT: no answer',
    });
    const limit = ['RETRY', { reason: 'GLOBAL_LIMIT' }] as const;
    const [limited] = await add({ channel: 'sms', status: 'RETRYING', age: 70, event: limit });
    const quiet = ['SCHEDULED', { reason: 'QUIET_HOURS' }] as const;
    const [deferred] = await add({ status: 'SCHEDULED', count: 4, age: 60, event: quiet });
    const [scheduled] = await add({ status: 'SCHEDULED', count: 5, age: 50, event: ['SCHEDULED', {}] });
    const [fallback] = await add({
      ...{ channel: 'email', status: 'SCHEDULED', age: 40, event: ['VALIDATED', null] },
      fallbackFor: '00000000-0000-7000-8000-000000000000',
    });
    const digested = await add({
      channel: 'email',
      status: 'SUPPRESSED',
      suppression: 'DIGESTED',
      count: 2,
      age: 30,
    });
    await postgres.query(`INSERT INTO digest_items SELECT unnest($1::uuid[]), 'd', now()`, [digested]);
    const dead = await add({ status: 'DEAD', count: 2, age: 20 });
    await bury(dead, 'TOKEN_GONE: no such app');
    const [other] = await add({ status: 'DEAD', age: 10 });
    await bury([other!], 'UNEXPECTED: 500');

    expect(await read()).toEqual([
      { channel: 'push', state: 'WAITING', cause: null, ...exactly(3), oldestId: waiting },
      { channel: 'sms', state: 'RETRYING', cause: 'TIMEOUT', ...exactly(2), oldestId: retrying },
      { channel: 'sms', state: 'RETRYING', cause: 'GLOBAL_LIMIT', ...exactly(1), oldestId: limited },
      { channel: 'push', state: 'DEFERRED', cause: 'QUIET_HOURS', ...exactly(4), oldestId: deferred },
      { channel: 'push', state: 'SCHEDULED', cause: null, ...exactly(5), oldestId: scheduled },
      { channel: 'email', state: 'DEFERRED', cause: 'FALLBACK', ...exactly(1), oldestId: fallback },
      { channel: 'email', state: 'DEFERRED', cause: 'DIGESTED', ...exactly(2), oldestId: digested[0] },
      { channel: 'push', state: 'DEAD', cause: 'TOKEN_GONE', ...exactly(2), oldestId: dead[0] },
      { channel: 'push', state: 'DEAD', cause: 'UNEXPECTED', ...exactly(1), oldestId: other },
    ]);
  });

  it('leaves dead letters out that were settled', async () => {
    const ids = await add({ status: 'DEAD', count: 2 });
    await bury(ids, 'TOKEN_GONE: no such app');
    await postgres.query('UPDATE failed_notifications SET settled_at = now() WHERE delivery_id = $1', [
      ids[0],
    ]);
    expect(await read()).toMatchObject([{ ...exactly(1), oldestId: ids[1] }]);
  });

  it('counts 1,000 exactly, and marks more as an estimate; causes beyond 200 by their part of those', async () => {
    await add({ status: 'QUEUED', count: 1_000 });
    await add({ channel: 'sms', status: 'RETRYING', count: 900, error: 'TIMEOUT: no answer' });
    await add({ channel: 'email', status: 'QUEUED', count: 4_000 });
    await postgres.query('VACUUM ANALYZE pending_deliveries');
    const entries = await read();
    const of = (channel: string) => entries.find((entry) => entry.channel === channel)!;
    expect(of('push')).toMatchObject(exactly(1_000));
    expect(of('sms')).toMatchObject({ count: 900, countIsEstimate: true });
    expect(of('email').countIsEstimate).toBe(true);
    expect(of('email').count).toBeGreaterThan(2_000);
    expect(of('email').count).toBeLessThan(8_000);
  });

  it('sees what comes to wait before all that was seen to wait', async () => {
    let now = 0;
    const backlog = createBacklog(postgres, () => now);
    await add({ status: 'SCHEDULED', event: ['SCHEDULED', {}] });
    for (now of [0, 61_000, 122_000]) expect(await backlog()).toHaveLength(1);
    const [fallback] = await add({
      status: 'SCHEDULED',
      event: ['VALIDATED', null],
      fallbackFor: '00000000-0000-7000-8000-000000000000',
    });
    await postgres.query('UPDATE deliveries SET due_at = now() WHERE delivery_id = $1', [fallback]);
    expect(await backlog()).toMatchObject([{ cause: null }, { cause: 'FALLBACK' }]);
  });
});

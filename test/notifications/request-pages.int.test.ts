import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  pageOfRequests,
  type RequestFilter,
} from '../../src/domains/notifications/lifecycle/request-pages.js';
import type { Role } from '../../src/platform/auth/auth.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { Connection, PageRequest } from '../../src/platform/paging.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const REQUESTS = 30_000;
let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'request pages',
    onError: () => undefined,
  });
  // Ten in each millisecond; deliveries by one or two channels, a fallback an hour later, few that were cancelled or are by SMS.
  await postgres.query(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id,
                                        last_event, created_at)
     SELECT gen_random_uuid(), 'p' || n % 7, n::text, 'T' || n % 5, 'high', 't', 'c', 6,
            '2026-01-01'::timestamptz + n / 10 * interval '1 ms'
     FROM generate_series(1, ${REQUESTS}) n`,
  );
  await postgres.query(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, created_at, fallback_for_id)
     SELECT gen_random_uuid(), r.request_id, r.notification_id, r.producer, u.user_id, r.type, c.channel, 'high',
            CASE WHEN n % 3000 = 1 THEN 'CANCELLED' ELSE 'DELIVERED' END, 5, '{}',
            r.created_at + c.later * interval '1 hour', CASE WHEN c.later > 0 THEN gen_random_uuid() END
     FROM (SELECT *, notification_id::int AS n FROM notification_requests) r
       CROSS JOIN LATERAL (VALUES ('u' || n % 100), ('often')) AS u (user_id)
       CROSS JOIN LATERAL (VALUES ('push', 0, true), ('email', 0, n % 2 = 0), ('in_app', 1, n % 11 = 0),
                                  ('sms', 0, n % 10000 = 3)) AS c (channel, later, there)
     WHERE c.there`,
  );
  await postgres.query('VACUUM ANALYZE notification_requests');
  await postgres.query('VACUUM ANALYZE deliveries');
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const callerOf = (userId: string, role: Role): Caller => ({
  viewer: { userId, roles: new Set<Role>(['user', role]), plan: 'free' },
  correlationId: 'c',
});
const admin = callerOf('root', 'admin');
const read = (filter: RequestFilter, page: PageRequest, caller = admin) =>
  pageOfRequests(postgres, caller, filter, page);

/** All pages from one end to the other, in the list's order, and how many there were. */
async function walk(filter: RequestFilter, direction: PageRequest['direction'], caller = admin) {
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | null = null, more = true; more; pages += 1) {
    const page: Connection<{ notificationId: string }> = await read(
      filter,
      { limit: 100, direction, cursor },
      caller,
    );
    const found = page.edges.map(({ node }) => node.notificationId);
    if (direction === 'forward') seen.push(...found);
    else seen.unshift(...found);
    ({ endCursor: cursor, hasNextPage: more } = page.pageInfo);
    if (direction === 'backward') ({ startCursor: cursor, hasPreviousPage: more } = page.pageInfo);
  }
  return { seen, pages };
}

/** The same by reading everything. */
async function all({ userId, type, status, channel, from, to }: RequestFilter, producer: string | null) {
  const { rows } = await postgres.query<{ id: string }>(
    `SELECT r.notification_id AS id FROM notification_requests r
     WHERE ($1::text IS NULL OR r.producer = $1) AND ($2::text IS NULL OR r.type = $2)
       AND ($3::timestamptz IS NULL OR r.created_at >= $3) AND ($4::timestamptz IS NULL OR r.created_at < $4)
       AND ($5::text IS NULL OR request_status(r.request_id) = $5)
       AND EXISTS (SELECT FROM deliveries d WHERE d.request_id = r.request_id AND ($6::text IS NULL OR d.user_id = $6)
                   AND ($7::text IS NULL OR d.channel = $7))
     ORDER BY r.created_at DESC, r.request_id DESC`,
    [producer, type ?? null, from ?? null, to ?? null, status ?? null, userId ?? null, channel ?? null],
  );
  return rows.map(({ id }) => id);
}

const from = new Date(Date.parse('2026-01-01') + 1_000);
const to = new Date(Date.parse('2026-01-01') + 1_300);
const filters: Record<string, RequestFilter> = {
  'a span': { from, to },
  'a user': { userId: 'u7' },
  'a user and a span': { userId: 'often', from, to },
  'a user, a type and a channel': { userId: 'u8', type: 'T3', channel: 'email' },
  'a user by a fallback': { userId: 'u11', channel: 'in_app' },
  'a type in a span': { type: 'T2', from, to },
  'a rare status': { status: 'CANCELLED' },
  'a rare channel': { channel: 'sms' },
  'a type and a rare status': { type: 'T1', status: 'CANCELLED' },
  'an unused type': { type: 'NONE' },
  nobody: { userId: 'nobody' },
};

describe.each(Object.entries(filters))('requests of %s', (_, filter) => {
  it.each([null, 'p3'])('are found, each once and in order, both ways (producer: %s)', async (producer) => {
    const caller = producer === null ? admin : callerOf(producer, 'producer');
    const expected = await all(filter, producer);
    expect((await walk(filter, 'forward', caller)).seen).toEqual(expected);
    expect((await walk(filter, 'backward', caller)).seen).toEqual(expected);
  });
});

describe('a page of requests reads a bounded number of blocks', () => {
  const text = 'SELECT * FROM page_of_requests($1, $2, $3, $4, $5, $6, $7, NULL, NULL, $8, 101, 1000, 10000)';
  const cost = (values: readonly unknown[]) => costOf(postgres, { text }, values);
  const none = null;
  it.each([
    ['everything', 60, [none, none, none, none, none, none, none]],
    ['a century', 60, [none, none, none, none, '1950-01-01', '2050-01-01', none]],
    ['a past without any', 60, [none, none, none, none, '1950-01-01', '2000-01-01', none]],
    ['an unused type', 60, [none, none, 'NONE', none, none, none, none]],
    ['a type that others use', 60, ['nobody', none, 'T1', none, none, none, none]],
    ['a producer', 400, ['p3', none, none, none, none, none, none]],
    ['a user', 4_000, [none, 'often', none, none, none, none, none]],
    ['an unused type of a user', 7_000, [none, 'often', 'NONE', none, none, none, none]],
    ['a status that no request has', 15_000, [none, none, none, none, none, none, 'EXPIRED']],
    ['a channel that few have', 15_000, [none, none, none, 'sms', none, none, none]],
  ] as const)('of %s', async (_, most, values) => {
    for (const toOlder of [true, false]) {
      const { blocks } = await cost([...values, toOlder]);
      expect(blocks).toBeLessThan(most);
    }
  });

  it('and goes on where it stopped, if it looked at enough before it was full', async () => {
    const { seen, pages } = await walk({ status: 'EXPIRED' }, 'forward');
    expect(seen).toEqual([]);
    expect(pages).toBeGreaterThanOrEqual(REQUESTS / 1_666);
    expect(pages).toBeLessThanOrEqual(REQUESTS / 1_000 + 1);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryFilter } from '../../src/domains/notifications/search/search.js';
import { searchDeliveries } from '../../src/domains/notifications/search/search.js';
import { sql as statements } from '../../src/domains/notifications/search/search.sql.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Five blocks and a half. */
const DELIVERIES = 22_000;

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'search bounds',
    onError: () => undefined,
  });
  // One a second; each hundredth to "often", each thousandth is DEAD, one in the oldest block has a word of its own.
  await postgres.transaction(async (tx) => {
    await tx.query('SET LOCAL session_replication_role = replica');
    await tx.query(
      `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                               status, max_retries, rendered_content, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), n::text, 'shop', CASE WHEN n % 100 = 0 THEN 'often' ELSE 'u' || n END, 'T', 'push',
              'high', CASE WHEN n % 1000 = 0 THEN 'DEAD' ELSE 'DELIVERED' END, 5, '{"body": "x"}',
              date_trunc('month', now()) + n * interval '1 second'
       FROM generate_series(1, ${DELIVERIES}) n`,
    );
  });
  const { rows } = await postgres.query<{ documents: unknown }>(
    `SELECT jsonb_agg(jsonb_build_object('deliveryId', delivery_id, 'createdAt', created_at, 'terms',
       ARRAY['u' || user_id, 'cpush', 'tT', 'pshop', 'wevery', 'wn' || notification_id] ||
       CASE notification_id WHEN '7' THEN ARRAY['wrare'] ELSE '{}' END) ORDER BY created_at) AS documents FROM deliveries`,
  );
  await postgres.query('SELECT index_deliveries($1)', [JSON.stringify(rows[0]!.documents)]);
  for (const table of ['deliveries', 'delivery_search_documents', 'delivery_search_blocks'])
    await postgres.query(`VACUUM ANALYZE ${table}`);
}, 120_000);
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const numbersOf = (page: Awaited<ReturnType<typeof searchDeliveries>>): number[] =>
  page.edges.map(({ node }) => Number(node.notificationId));
const find = (query: string | null, filter: DeliveryFilter = {}, page: Partial<PageRequest> = {}) =>
  searchDeliveries(postgres, query, filter, { limit: 20, direction: 'forward', cursor: null, ...page });
const at = (n: number): Date => {
  const month = new Date();
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth()) + n * 1_000);
};
const from = (newest: number, step = 1): number[] => Array.from({ length: 20 }, (_, n) => newest - step * n);

describe('a search in many blocks', () => {
  it('finds what is in the oldest of them, and the newest of what is in all', async () => {
    expect(numbersOf(await find('rare'))).toEqual([7]);
    expect(numbersOf(await find('every'))).toEqual(from(DELIVERIES));
    expect(numbersOf(await find('n219'))).toEqual(from(21_999));
    expect(numbersOf(await find(null, { userId: 'often' }))).toEqual(from(DELIVERIES, 100));
    expect(numbersOf(await find(null, { status: 'DEAD' }))).toEqual([22_000, 21_000]);
  });

  it('goes on over pages that found too little, until all were looked at', async () => {
    const seen: number[] = [];
    let pages = 0;
    for (let cursor: string | null = null, more = true; more; pages++) {
      const page: Awaited<ReturnType<typeof find>> = await find('every', { status: 'DEAD' }, { cursor });
      seen.push(...numbersOf(page));
      ({ endCursor: cursor, hasNextPage: more } = page.pageInfo);
    }
    expect(seen).toEqual(Array.from({ length: 22 }, (_, n) => 22_000 - 1_000 * n));
    expect(pages).toBe(12);
  });

  it.each([
    ['a span', {}, 12_001, 12_019, from(12_018).slice(0, 18)],
    ['a span and a user', { userId: 'often' }, 11_950, 12_101, [12_100, 12_000]],
    ['a span over the edge of two blocks', {}, 4_090, 4_101, from(4_100).slice(0, 11)],
  ] as const)('finds what is of %s alone', async (_, filter, since, until, expected) => {
    const span = { ...filter, from: at(since), to: at(until) };
    expect(numbersOf(await find('every', span))).toEqual(expected);
    expect(numbersOf(await find('every', span, { direction: 'backward' }))).toEqual(expected);
  });
});

describe('a page of a search reads a bounded number of blocks', () => {
  const cost = async (words: string[], terms: string[], status: string | null = null) => {
    const values = [words, terms, status, null, null, null, true, 21, 2_000, 1_024, 60_000];
    return (await costOf(postgres, statements.searchDeliveries, values)).blocks;
  };

  it('where everything matches: one block of the newest deliveries', async () => {
    expect(await cost(['every'], [])).toBeLessThan(400);
    expect(await cost([''], [])).toBeLessThan(600);
    expect(await cost([], [])).toBeLessThan(400);
    expect(await cost([], ['cpush', 'pshop'])).toBeLessThan(400);
  });

  it('where nothing does: a few pages of the index for each block and word', async () => {
    expect(await cost(['absent'], [])).toBeLessThan(100);
    expect(await cost(['absent', 'every'], ['cpush'])).toBeLessThan(300);
  });

  it('where few have the status: 2,000 deliveries are looked at', async () => {
    expect(await cost(['every'], [], 'CANCELLED')).toBeLessThan(2_000 * 4 + 600);
  });

  it('where a user is as unknown as their id is long', async () => {
    expect(await cost([], [`u${randomUUID()}`])).toBeLessThan(100);
  });
});

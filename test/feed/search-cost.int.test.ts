import { afterAll, beforeAll, expect, it } from 'vitest';
import { searchUsers } from '../../src/domains/feed/graph/search.js';
import { sql } from '../../src/domains/feed/graph/search.sql.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { viewerOf } from './feed-callers.js';
import { type GraphWorld, openGraphWorld } from './graph-world.js';
import { costOf } from './statement-cost.js';

const PEOPLE = 30_000;
const END = ['\u{10ffff}', Number.MAX_SAFE_INTEGER] as const;
const BEGINNING = ['', 0] as const;

let world: GraphWorld;
beforeAll(async () => {
  world = await openGraphWorld();
  await world.signIn('viewer');
  await world.postgres.query(
    `INSERT INTO users (user_id, display_name)
     SELECT 'user' || lpad(n::text, 6, '0'), 'User ' || n FROM generate_series(1, ${PEOPLE}) n
     UNION ALL SELECT 'other' || n, 'Userless ' || lpad(n::text, 2, '0') FROM generate_series(1, 25) n`,
  );
  await world.postgres.query('VACUUM ANALYZE users');
});
afterAll(() => world?.close());

const places = {
  'the first page': [sql.search, ...BEGINNING, ...BEGINNING],
  'a page in the middle': [sql.search, 'user015000', 1, ...BEGINNING],
  'the last of the ids': [sql.search, 'user029990', 1, ...BEGINNING],
  'names alone': [sql.search, ...END, ...BEGINNING],
  'the last page': [sql.searchBack, ...END, ...END],
} as const;

it.each(Object.entries(places))(
  'reads the same few blocks for %s, though all names start like ids',
  async (_, at) => {
    const [statement, ...cursor] = at;
    for (const query of ['u', 'user', 'USER 1']) {
      const { blocks } = await costOf(world.postgres, statement, [query, ...cursor, 21, 'viewer']);
      expect(blocks, query).toBeLessThan(400);
    }
  },
);

it('finds those whose names alone start so behind thousands whose ids do too', async () => {
  const last = await searchUsers(world, viewerOf('viewer'), 'user', {
    limit: 30,
    direction: 'backward',
    cursor: null,
  });
  expect(last.edges.map(({ node }) => node.userId)).toEqual([
    ...[29_996, 29_997, 29_998, 29_999, 30_000].map((n) => `user0${n}`),
    ...Array.from({ length: 25 }, (_, n) => `other${n + 1}`),
  ]);
});

it('counts up to 1,000 for the viewer, and marks higher numbers as estimates', async () => {
  const asked: string[] = [];
  const postgres: Queryable = {
    query(statement, values) {
      asked.push(typeof statement === 'string' ? statement : statement.name);
      return world.postgres.query(statement, values);
    },
  };
  const find = (text: string) =>
    searchUsers({ postgres }, viewerOf('viewer'), text, { limit: 20, direction: 'forward', cursor: null });
  const many = await find('user');
  const few = await find('userless');
  expect(asked).toEqual(['search.search', 'search.search']);
  expect(await few.total()).toEqual({ count: 25, isEstimate: false });
  const { count, isEstimate } = await many.total();
  expect(isEstimate).toBe(true);
  expect(count).toBeGreaterThan(PEOPLE / 3);
  expect(count).toBeLessThan(PEOPLE * 3);
  const { blocks } = await costOf(world.postgres, sql.countFound, ['user', 'viewer', 1_001]);
  expect(blocks).toBeLessThan(10_000);
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../src/domains/notifications/segments/filter.js';
import {
  audiencePage,
  checkFilter,
  createSegments,
  type Segment,
} from '../../src/domains/notifications/segments/index.js';
import { printFilter } from '../../src/domains/notifications/segments/print.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { forReader } from '../../src/platform/wake-ups/reader.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { admin, caller, shop } from './notification-world.js';
import { filters, type MadeUser, matches, NOW, users } from './segment-filters.js';

const clock = { now: () => NOW };
const later = new Date(NOW + 7 * 86_400_000);
let database: TestDatabase;
let postgres: Postgres;
let segments: ReturnType<typeof createSegments>;

beforeAll(async () => {
  database = await createTestDatabase();
  // As the product's processes do: no plan reads a whole table.
  postgres = openPostgres(database.url, {
    max: 10,
    applicationName: 'test',
    onError: () => undefined,
    byIndex: true,
  });
  segments = createSegments({ postgres, clock });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** Makes them everybody there is. */
async function store(made: readonly MadeUser[]): Promise<void> {
  await postgres.query(
    'TRUNCATE users, follows, posts, follow_counts, user_notification_settings, user_devices, user_attributes',
  );
  const column = <T>(of: (user: MadeUser) => T) => made.map(of);
  await postgres.query(
    `INSERT INTO users (user_id, display_name, created_at, last_seen_at, follower_count)
     SELECT id, id, created, seen, followers FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::int[])
       AS given (id, created, seen, followers)`,
    [
      column(({ userId }) => userId),
      column(({ createdAt }) => new Date(createdAt)),
      column(({ lastSeenAt }) => lastSeenAt && new Date(lastSeenAt)),
      // What it was before: the count of now stands apart.
      column(() => 7),
    ],
  );
  for (const [index, { userId, followerCount, settings, devices }] of made.entries()) {
    await postgres.query('INSERT INTO follow_counts SELECT id, 1, $2, 0 FROM users WHERE user_id = $1', [
      userId,
      followerCount,
    ]);
    if (settings) {
      await postgres.query(
        'INSERT INTO user_notification_settings (user_id, language, timezone) VALUES ($1, $2, $3)',
        [userId, settings.language, settings.timezone],
      );
    }
    for (const { platform, isActive } of devices) {
      await postgres.query(
        'INSERT INTO user_devices (user_id, device_id, platform, device_token, is_active) VALUES ($1, $2, $2, $3, $4)',
        [userId, platform, `token-${index}-${platform}`, isActive],
      );
    }
  }
  const result = await segments.setAttributes(
    shop,
    made.map(({ userId, attributes }) => ({ userId, attributes })),
  );
  expect(result.ok).toBe(made.length > 0);
}

async function segmentOf(filter: string): Promise<Segment> {
  const result = await checkFilter({ postgres, clock }, filter, ['filter']);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

async function audienceOf(segment: Segment, limit: number, createdBefore = later): Promise<string[]> {
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page = await audiencePage(postgres, segment, { after, limit, createdBefore });
    found.push(...page.userIds);
    after = page.next;
  } while (after !== null);
  return found;
}

const expected = (made: readonly MadeUser[], filter: Filter): string[] =>
  made.filter((user) => matches(filter, user)).map(({ userId }) => userId);

describe('the compiled SQL', () => {
  // Every attribute has its type, whichever of them the made-up users have.
  const seed = {
    userId: 'nobody-who-has-an-account',
    attributes: { plan: 'a', constructor: 'a', score: 1, active: true, since: '2026-01-31', tags: ['a'] },
  };

  it('finds whom the evaluator finds, in pages of any size, by an index and by a walk, and estimates as many', async () => {
    await segments.setAttributes(shop, [seed]);
    await fc.assert(
      fc.asyncProperty(
        users,
        fc.array(filters, { minLength: 30, maxLength: 30 }),
        fc.integer({ min: 1, max: 70 }),
        async (made, asked, limit) => {
          await store(made);
          for (const filter of asked) {
            const text = printFilter(filter);
            const segment = await segmentOf(text);
            const wanted = expected(made, filter).sort();
            const found = await audienceOf(segment, limit);
            expect([text, found.toSorted()]).toEqual([text, wanted]);
            expect(new Set(found).size).toBe(found.length);
            const estimate = await segments.estimate(text, ['filter']);
            expect(estimate).toMatchObject({ ok: true, value: { count: wanted.length } });
            if (estimate.ok) expect(wanted).toEqual(expect.arrayContaining([...estimate.value.sample]));
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('asks no more of a missing attribute than the guide says: false, != too, and not makes it true', async () => {
    await store([
      ...['pro', 'free'].map((plan, index) => madeUser(`user-${index}`, { plan })),
      madeUser('user-2', {}),
    ]);
    const of = async (filter: string) => audienceOf(await segmentOf(filter), 10);
    expect(await of('plan = "pro"')).toEqual(['user-0']);
    expect(await of('plan != "pro"')).toEqual(['user-1']);
    expect(await of('not (plan = "pro")')).toEqual(['user-1', 'user-2']);
    expect(await of('not (plan exists)')).toEqual(['user-2']);
  });
});

const madeUser = (userId: string, attributes: Record<string, unknown>, createdAt = NOW): MadeUser => ({
  userId,
  createdAt,
  lastSeenAt: null,
  followerCount: 0,
  settings: null,
  devices: [],
  attributes,
});

describe('a page of an audience', () => {
  it('looks at so many users at most, leaves out who signed up later, and ends', async () => {
    const made = Array.from({ length: 25 }, (_, n) =>
      madeUser(`user-${String(n).padStart(2, '0')}`, { score: n }, NOW - n * 1_000),
    );
    await store(made);
    const segment = await segmentOf('score >= 20');
    const page = (after: string | null) =>
      audiencePage(postgres, segment, { after, limit: 10, createdBefore: later });
    expect(await page(null)).toEqual({ userIds: [], next: 'user-09' });
    expect(await page('user-09')).toEqual({ userIds: [], next: 'user-19' });
    expect(await page('user-19')).toEqual({
      userIds: ['user-20', 'user-21', 'user-22', 'user-23', 'user-24'],
      next: null,
    });
    const before = new Date(NOW - 22_000);
    expect(await audienceOf(segment, 3, before)).toEqual(['user-23', 'user-24']);
    // By the index, at once.
    const named = await segmentOf('score in (3, 24, 99)');
    expect(await audiencePage(postgres, named, { after: null, limit: 2, createdBefore: later })).toEqual({
      userIds: ['user-03', 'user-24'],
      next: null,
    });
    expect(await audienceOf(named, 1)).toEqual(['user-03', 'user-24']);
    expect(await audienceOf(named, 5, before)).toEqual(['user-24']);
  });
});

describe('setting attributes', () => {
  type Given = [userId: string, attributes: Record<string, unknown>];
  const set = (...given: Given[]) => setBy(shop, ...given);
  const setBy = async (by: Caller, ...given: Given[]) => {
    const result = await segments.setAttributes(
      by,
      given.map(([userId, attributes]) => ({ userId, attributes })),
    );
    return result.ok ? result.value : result.errors;
  };
  const stored = async () =>
    (await postgres.query('SELECT user_id, attributes FROM user_attributes ORDER BY user_id')).rows.map(
      ({ user_id, attributes }) => [user_id, attributes],
    );

  it('merges, counts who changed, and changes nothing where a part of it is refused', async () => {
    await store([]);
    expect(await set(['ada', { tier: 'gold', visits: 3 }], ['bob', { tier: null }])).toBe(1);
    expect(await set(['ada', { visits: null, tier: 'gold' }], ['bob', { tier: 'tin' }])).toBe(2);
    expect(await set(['ada', { tier: 'gold' }])).toBe(0);
    const before = [
      ['ada', { tier: 'gold' }],
      ['bob', { tier: 'tin' }],
    ];
    expect(await stored()).toEqual(before);
    expect(await set(['eve', { tier: 'tin', fresh: 1 }], ['bob', { tier: 3 }])).toMatchObject([
      { code: 'ATTRIBUTE_TYPE', path: ['input', 'users', '1', 'attributes', 'tier'] },
    ]);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`many${n}`, n]));
    expect(await set(['eve', { tier: 'tin' }], ['ada', many])).toMatchObject([
      { code: 'TOO_MANY_ATTRIBUTES', path: ['input', 'users', '1', 'attributes'] },
    ]);
    expect(await stored()).toEqual(before);
    const { rows } = await postgres.query(
      `SELECT name FROM user_attribute_types WHERE name ~ '^(many|fresh)'`,
    );
    expect(rows).toEqual([]);
  });

  it('gives a name one type, whichever of many calls at once comes first', async () => {
    await store([]);
    const kinds: readonly unknown[] = ['text', 1, true, ['list'], '2026-01-31'];
    for (let round = 0; round < 10; round += 1) {
      const name = `raced${round}`;
      const outcomes = await Promise.all(
        kinds.map((value, index) => set([`racer-${index}`, { [name]: value }])),
      );
      const accepted = outcomes.filter((outcome) => outcome === 1);
      const types = await postgres.query('SELECT type FROM user_attribute_types WHERE name = $1', [name]);
      expect(types.rows).toHaveLength(1);
      // A date is also a text.
      expect(accepted.length).toBe(types.rows[0]!.type === 'string' ? 2 : 1);
      const values = await postgres.query(
        'SELECT DISTINCT jsonb_typeof(attributes -> $1) AS kind FROM user_attributes WHERE attributes ? $1',
        [name],
      );
      expect(values.rows).toHaveLength(1);
    }
  });

  it('of the same users by many at once loses nothing, and nobody gets more than 50', async () => {
    await store([]);
    const people = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    const names = Array.from({ length: 8 }, (_, n) => `at${n}`);
    await Promise.all(
      names.map((name, n) =>
        set(
          ...(n % 2 === 0 ? people : people.toReversed()).map((id): [string, Record<string, unknown>] => [
            id,
            { [name]: n },
          ]),
        ),
      ),
    );
    expect((await stored()).map(([, attributes]) => Object.keys(attributes).length)).toEqual(
      Array(40).fill(8),
    );
    const parts = Array.from({ length: 4 }, (_, part) =>
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`part${part}_${n}`, 1])),
    );
    const outcomes = await Promise.all(parts.map((part) => set(['fresh', part])));
    expect(outcomes.filter((outcome) => outcome === 1)).toHaveLength(2);
    expect(outcomes.flat().filter((one) => typeof one === 'object')).toMatchObject(
      Array(2).fill({ code: 'TOO_MANY_ATTRIBUTES' }),
    );
  });

  it('makes no more than 1,000 names', async () => {
    await store([]);
    const { rows } = await postgres.query('SELECT count(*)::int AS count FROM user_attribute_types');
    await postgres.query(
      `INSERT INTO user_attribute_types (name, type, created_by)
       SELECT 'filler' || n, 'number', 'others' FROM generate_series(1, $1::int) n`,
      [999 - rows[0]!.count],
    );
    expect(await set(['ada', { last: 1, over: 1 }])).toMatchObject([{ code: 'TOO_MANY_ATTRIBUTES' }]);
    expect(await set(['ada', { last: 1 }])).toBe(1);
    expect(await set(['ada', { over: 1 }])).toMatchObject([{ code: 'TOO_MANY_ATTRIBUTES' }]);
    await postgres.query(`DELETE FROM user_attribute_types WHERE name ~ '^filler'`);
  });

  it('makes 200 names of one producer at most, and more of others and of admins', async () => {
    await store([]);
    const greedy = caller('greedy', 'producer');
    const names = (from: number, count: number): Given[] =>
      Array.from({ length: count / 10 }, (_, row) => [
        `user-${from + row * 10}`,
        Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`greedy${from + row * 10 + n}`, 1])),
      ]);
    expect(await setBy(greedy, ...names(0, 190))).toBe(19);
    const outcomes = await Promise.all([200, 300].map((from) => setBy(greedy, ...names(from, 10))));
    expect(outcomes).toContain(1);
    expect(outcomes.flat()).toContainEqual({
      code: 'TOO_MANY_ATTRIBUTES',
      message: 'A producer makes at most 200 of the attributes that there are; an admin may make more',
      path: ['input', 'users'],
    });
    // What there is, they may go on to use.
    expect(await setBy(greedy, ['user-0', { greedy1: 2 }])).toBe(1);
    expect(await setBy(shop, ['user-0', { ofAnother: 2 }])).toBe(1);
    expect(await setBy(admin, ...names(400, 210))).toBe(21);
    await postgres.query(`DELETE FROM user_attribute_types WHERE name ~ '^greedy'`);
  });
});

describe('an estimate', () => {
  it('is kept by what the filter means, and sees what this process sets', async () => {
    await store([madeUser('user-0', { plan: 'pro' }), madeUser('user-1', { plan: 'pro' })]);
    const count = async (filter: string) => {
      const result = await segments.estimate(filter, ['filter']);
      return result.ok ? result.value.count : result.errors;
    };
    expect(await count('plan="pro"')).toBe(2);
    await postgres.query(`DELETE FROM user_attributes WHERE user_id = 'user-1'`);
    expect(await count('( plan = "pro" )')).toBe(2);
    await segments.setAttributes(shop, [{ userId: 'user-2', attributes: { plan: 'pro' } }]);
    expect(await count('plan = "pro"')).toBe(1);
    expect(await count('plan =')).toMatchObject([
      { code: 'FILTER_INVALID', message: expect.stringMatching(/^line 1, column 7: /), path: ['filter'] },
    ]);
  });

  it('of a large table is projected from a sample, and exact where an index finds few', async () => {
    await store([]);
    await postgres.query(
      `INSERT INTO users (user_id, display_name, created_at)
       SELECT 'user-' || n, repeat('name ', 20), now() FROM generate_series(1, 80000) n`,
    );
    await postgres.query(
      `INSERT INTO user_attributes (user_id, attributes)
       SELECT 'user-' || n, jsonb_build_object('score', n % 4, 'plan', CASE WHEN n % 5000 = 0 THEN 'rare' ELSE 'free' END)
       FROM generate_series(1, 80000) n`,
    );
    await postgres.query('ANALYZE users');
    const estimate = async (filter: string) => {
      const result = await segments.estimate(filter, ['filter']);
      if (!result.ok) throw new Error(JSON.stringify(result.errors));
      return result.value;
    };
    const quarter = await estimate('score > 2');
    expect(quarter.count).toBeGreaterThan(17_000);
    expect(quarter.count).toBeLessThan(23_000);
    expect(quarter.sample).toHaveLength(10);
    const rare = await estimate('plan = "rare" and score exists');
    expect([rare.count, rare.sample.length]).toEqual([16, 10]);
    expect(await estimate('userId in ("user-77", "nobody")')).toEqual({ count: 1, sample: ['user-77'] });
    expect((await estimate('plan = "free" or plan = "rare"')).count).toBeGreaterThan(76_000);
  });
});

describe('many estimates at once', () => {
  /** Locks the users, for which every estimate waits. */
  async function whileLocked<T>(work: (waiting: () => Promise<number>) => Promise<T>): Promise<T> {
    const client = await postgres.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('LOCK users');
      return await work(async () => {
        const { rows } = await client.query(
          `SELECT count(*)::int AS waiting FROM pg_locks WHERE NOT granted AND relation = 'users'::regclass`,
        );
        return rows[0]!.waiting;
      });
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  const ask = (made: ReturnType<typeof createSegments>, days: number) =>
    made.estimate(`createdDays < ${days}`, ['filter']);

  it('are made two at a time, in order; who leaves gives up their turn', async () => {
    await store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres, clock });
    const leaving = new AbortController();
    const asked = await whileLocked(async (waiting) => {
      const first = [1, 2].map((days) => ask(fresh, days));
      await expect.poll(waiting).toBe(2);
      const gone = forReader({ signal: leaving.signal }, () => ask(fresh, 3));
      const later = [4, 5].map((days) => ask(fresh, days));
      for (let look = 0; look < 20; look += 1) expect(await waiting()).toBe(2);
      leaving.abort();
      return { first, gone: gone.catch((error: Error) => error.message), later };
    });
    expect(await asked.gone).toBe('The client has gone');
    for (const estimate of await Promise.all([...asked.first, ...asked.later]))
      expect(estimate).toMatchObject({ ok: true, value: { count: 1 } });
  });

  it('are refused where a statement takes longer than 5 s, which is not kept', async () => {
    await store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres, clock });
    const refused = await whileLocked(() => ask(fresh, 1));
    expect(refused).toMatchObject({ ok: false, errors: [{ code: 'FILTER_TOO_SLOW', path: ['filter'] }] });
    expect(await ask(fresh, 1)).toMatchObject({ ok: true, value: { count: 1 } });
  }, 20_000);

  it('wait for nothing where an answer is kept', async () => {
    await store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres, clock });
    expect(await ask(fresh, 3)).toMatchObject({ ok: true });
    await whileLocked(async (waiting) => {
      const others = [1, 2].map((days) => ask(fresh, days));
      await expect.poll(waiting).toBe(2);
      expect(await ask(fresh, 3)).toMatchObject({ ok: true, value: { count: 1 } });
      return { others };
    }).then(({ others }) => Promise.all(others));
  });
});

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filter } from '../../src/domains/notifications/segments/filter.js';
import { audiencePage, createSegments } from '../../src/domains/notifications/segments/index.js';
import { printFilter } from '../../src/domains/notifications/segments/print.js';
import { forReader } from '../../src/platform/wake-ups/reader.js';
import { shop } from './notification-world.js';
import { filters, type MadeUser, matches, NOW, users } from './segment-filters.js';
import { clock, later, madeUser, openSegmentWorld, type SegmentWorld } from './segment-world.js';

let world: SegmentWorld;
beforeAll(async () => {
  world = await openSegmentWorld();
});
afterAll(() => world.close());

const expected = (made: readonly MadeUser[], filter: Filter): string[] =>
  made.filter((user) => matches(filter, user)).map(({ userId }) => userId);

describe('the compiled SQL', () => {
  // Every attribute has its type, whichever of them the made-up users have.
  const seed = {
    userId: 'nobody-who-has-an-account',
    attributes: { plan: 'a', constructor: 'a', score: 1, active: true, since: '2026-01-31', tags: ['a'] },
  };

  it('finds whom the evaluator finds, in pages of any size, by an index and by a walk, and estimates as many', async () => {
    await world.segments.setAttributes(shop, [seed]);
    await fc.assert(
      fc.asyncProperty(
        users,
        fc.array(filters, { minLength: 30, maxLength: 30 }),
        fc.integer({ min: 1, max: 70 }),
        async (made, asked, limit) => {
          await world.store(made);
          for (const filter of asked) {
            const text = printFilter(filter);
            const segment = await world.segmentOf(text);
            const wanted = expected(made, filter).sort();
            const found = await world.audienceOf(segment, limit);
            expect([text, found.toSorted()]).toEqual([text, wanted]);
            expect(new Set(found).size).toBe(found.length);
            const estimate = await world.segments.estimate(text, ['filter']);
            expect(estimate).toMatchObject({ ok: true, value: { count: wanted.length } });
            if (estimate.ok) expect(wanted).toEqual(expect.arrayContaining([...estimate.value.sample]));
          }
        },
      ),
      { numRuns: 8 },
    );
  });

  it('asks no more of a missing attribute than the guide says: false, != too, and not makes it true', async () => {
    await world.store([
      ...['pro', 'free'].map((plan, index) => madeUser(`user-${index}`, { plan })),
      madeUser('user-2', {}),
    ]);
    const of = async (filter: string) => world.audienceOf(await world.segmentOf(filter), 10);
    expect(await of('plan = "pro"')).toEqual(['user-0']);
    expect(await of('plan != "pro"')).toEqual(['user-1']);
    expect(await of('not (plan = "pro")')).toEqual(['user-1', 'user-2']);
    expect(await of('not (plan exists)')).toEqual(['user-2']);
  });
});

describe('a page of an audience', () => {
  it('looks at so many users at most, leaves out who signed up later, and ends', async () => {
    const made = Array.from({ length: 25 }, (_, n) =>
      madeUser(`user-${String(n).padStart(2, '0')}`, { score: n }, NOW - n * 1_000),
    );
    await world.store(made);
    const segment = await world.segmentOf('score >= 20');
    const page = (after: string | null) =>
      audiencePage(world.postgres, segment, { after, limit: 10, createdBefore: later });
    expect(await page(null)).toEqual({ userIds: [], next: 'user-09', isNarrowed: false });
    expect(await page('user-09')).toEqual({ userIds: [], next: 'user-19', isNarrowed: false });
    expect(await page('user-19')).toEqual({
      userIds: ['user-20', 'user-21', 'user-22', 'user-23', 'user-24'],
      ...{ next: null, isNarrowed: false },
    });
    const before = new Date(NOW - 22_000);
    expect(await world.audienceOf(segment, 3, before)).toEqual(['user-23', 'user-24']);
    // By the index, at once.
    const named = await world.segmentOf('score in (3, 24, 99)');
    expect(
      await audiencePage(world.postgres, named, { after: null, limit: 2, createdBefore: later }),
    ).toEqual({
      userIds: ['user-03', 'user-24'],
      ...{ next: null, isNarrowed: true },
    });
    // From any user on, where it is gone on with.
    const from = { after: 'user-03', createdBefore: later, narrowed: true };
    expect(await audiencePage(world.postgres, named, { ...from, limit: 2 })).toEqual({
      userIds: ['user-24'],
      ...{ next: null, isNarrowed: true },
    });
    expect(await audiencePage(world.postgres, named, { ...from, limit: 1 })).toEqual({
      userIds: [],
      ...{ next: 'user-04', isNarrowed: false },
    });
    expect(await world.audienceOf(named, 1)).toEqual(['user-03', 'user-24']);
    expect(await world.audienceOf(named, 5, before)).toEqual(['user-24']);
  });
});

describe('an estimate', () => {
  it('is kept by what the filter means, and sees what this process sets', async () => {
    await world.store([madeUser('user-0', { plan: 'pro' }), madeUser('user-1', { plan: 'pro' })]);
    const count = async (filter: string) => {
      const result = await world.segments.estimate(filter, ['filter']);
      return result.ok ? result.value.count : result.errors;
    };
    expect(await count('plan="pro"')).toBe(2);
    await world.postgres.query(`DELETE FROM user_attributes WHERE user_id = 'user-1'`);
    expect(await count('( plan = "pro" )')).toBe(2);
    await world.segments.setAttributes(shop, [{ userId: 'user-2', attributes: { plan: 'pro' } }]);
    expect(await count('plan = "pro"')).toBe(1);
    expect(await count('plan =')).toMatchObject([
      { code: 'FILTER_INVALID', message: expect.stringMatching(/^line 1, column 7: /), path: ['filter'] },
    ]);
  });

  it('of a large table is projected from a sample, and exact where an index finds few', async () => {
    await world.store([]);
    await world.postgres.query(
      `INSERT INTO users (user_id, display_name, created_at)
       SELECT 'user-' || n, repeat('name ', 20), now() FROM generate_series(1, 80000) n`,
    );
    await world.postgres.query(
      `INSERT INTO user_attributes (user_id, attributes)
       SELECT 'user-' || n, jsonb_build_object('score', n % 4, 'plan', CASE WHEN n % 5000 = 0 THEN 'rare' ELSE 'free' END)
       FROM generate_series(1, 80000) n`,
    );
    await world.postgres.query('ANALYZE users');
    const estimate = async (filter: string) => {
      const result = await world.segments.estimate(filter, ['filter']);
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
    const client = await world.postgres.pool.connect();
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
    await world.store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres: world.postgres, clock });
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
    await world.store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres: world.postgres, clock });
    const refused = await whileLocked(() => ask(fresh, 1));
    expect(refused).toMatchObject({ ok: false, errors: [{ code: 'FILTER_TOO_SLOW', path: ['filter'] }] });
    expect(await ask(fresh, 1)).toMatchObject({ ok: true, value: { count: 1 } });
  }, 20_000);

  it('wait for nothing where an answer is kept', async () => {
    await world.store([madeUser('user-0', {})]);
    const fresh = createSegments({ postgres: world.postgres, clock });
    expect(await ask(fresh, 3)).toMatchObject({ ok: true });
    await whileLocked(async (waiting) => {
      const others = [1, 2].map((days) => ask(fresh, days));
      await expect.poll(waiting).toBe(2);
      expect(await ask(fresh, 3)).toMatchObject({ ok: true, value: { count: 1 } });
      return { others };
    }).then(({ others }) => Promise.all(others));
  });
});

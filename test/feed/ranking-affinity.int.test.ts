import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Interaction } from '../../src/domains/feed/ranking/interactions.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { openRedis } from '../../src/platform/redis/redis.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { DAY, openRankingWorld, type RankingWorld, START } from './ranking-world.js';

let world: RankingWorld;
beforeAll(async () => {
  world = await openRankingWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await forgetAll(world.redis);
  await world.postgres.query('TRUNCATE signals, affinities');
  world.clock.at = START;
});

const note = (...interactions: Interaction[]) => world.ranking.noteInteractions(world.postgres, interactions);
const did = async (kind: Interaction['kind'], authorId = 'ben', readerId = 'ann'): Promise<Interaction> => ({
  readerId,
  postId: await world.post(authorId),
  personId: null,
  kind,
  at: new Date(world.clock.at),
});
const sumOf = async (authorId = 'ben') => {
  const { rows } = await world.postgres.query<{ score: number }>(
    'SELECT score FROM affinities WHERE author_id = (SELECT id FROM users WHERE user_id = $1)',
    [authorId],
  );
  return rows[0]?.score ?? 0;
};
/** As a process sees it that knew nothing. */
const affinityOf = async (authorId: string) =>
  (await world.another().of('ann', world.clock.at)).affinityOf(authorId);

describe('affinity', () => {
  it('adds up what the document gives for each interaction', async () => {
    const weights = { LIKE: 1, COMMENT: 3, SHARE: 5, CLICK: 0, IMPRESSION: 0, HIDE: -5 } as const;
    let sum = 0;
    for (const [kind, weight] of Object.entries(weights)) {
      await note(await did(kind as Interaction['kind']));
      sum += weight;
      expect(await sumOf()).toBe(sum);
    }
    const people = { DIRECT_MESSAGE: 7, PROFILE_VISIT: 2, TAG: 4 } as const;
    for (const [kind, weight] of Object.entries(people)) {
      await world.ranking.recordSignals('ann', [{ kind: kind as keyof typeof people, userId: 'ben' }]);
      sum += weight;
      expect(await sumOf()).toBe(sum);
    }
    expect(await affinityOf('ben')).toBeCloseTo(sum / (sum + 10), 4);
    expect(await affinityOf('cat')).toBe(0);
  });

  it('fades by half in 30 days', async () => {
    await note(await did('SHARE'), await did('SHARE'));
    expect(await affinityOf('ben')).toBeCloseTo(10 / 20, 4);
    world.clock.at = START + 30 * DAY;
    await forgetAll(world.redis);
    expect(await affinityOf('ben')).toBeCloseTo(5 / 15, 4);
    world.clock.at = START + 20_000 * DAY;
    await forgetAll(world.redis);
    expect(await affinityOf('ben')).toBe(0);
    await note(await did('SHARE'));
    expect(await sumOf()).toBeCloseTo(5, 9);
  });

  it('is forgotten once nothing of it counts any more, and not before', async () => {
    await note(await did('SHARE'));
    world.clock.at = START + 299 * DAY;
    await note(await did('SHARE', 'cat'));
    expect(await world.ranking.forgetAffinities()).toBe(0);
    world.clock.at = START + 301 * DAY;
    // It begins at a random reader.
    await expect.poll(() => world.ranking.forgetAffinities()).toBe(1);
    expect([await sumOf('ben'), await sumOf('cat')]).toEqual([0, 5]);
  });

  it('is the same in whatever order and in whatever batches interactions come', async () => {
    const kinds = fc.constantFrom('LIKE', 'COMMENT', 'SHARE', 'HIDE' as const);
    const done = fc.record({ kind: kinds, days: fc.nat(300), key: fc.nat(), batch: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(done, { minLength: 1, maxLength: 8 }), async (all) => {
        await world.postgres.query('TRUNCATE signals, affinities');
        const posts = await Promise.all(all.map(() => world.post('ben')));
        const interactions = all.map(({ kind, days }, index) => ({
          ...all[index]!,
          interaction: {
            readerId: 'ann',
            postId: posts[index]!,
            personId: null,
            kind,
            at: new Date(START + days * DAY),
          } satisfies Interaction,
        }));
        interactions.sort((a, b) => a.key - b.key);
        for (const batch of [0, 1, 2, 3])
          await note(...interactions.filter((one) => one.batch === batch).map((one) => one.interaction));
        const last = Math.max(...all.map(({ days }) => days));
        const weights = { LIKE: 1, COMMENT: 3, SHARE: 5, HIDE: -5 };
        const expected = all.reduce(
          (sum, { kind, days }) => sum + weights[kind] * 0.5 ** ((last - days) / 30),
          0,
        );
        expect(await sumOf()).toBeCloseTo(expected, 9);
      }),
      { numRuns: 25 },
    );
  });

  it('does not grow by liking or sharing one post over and over, but with every comment', async () => {
    const like = await did('LIKE');
    expect(await note(like, like)).toBe(1);
    expect(await note(like)).toBe(0);
    const share = { ...like, kind: 'SHARE' as const };
    await note(share);
    await note(share);
    expect(await sumOf()).toBe(6);
    await note({ ...like, kind: 'COMMENT' });
    await note({ ...like, kind: 'COMMENT' });
    expect(await sumOf()).toBe(12);
  });

  it('has no place for oneself, and goes on where a post or a user is gone', async () => {
    expect(await note(await did('LIKE', 'ann'))).toBe(0);
    expect(await note({ ...(await did('LIKE')), postId: world.ids.next() })).toBe(0);
    expect(await note({ ...(await did('LIKE')), readerId: 'gone' })).toBe(0);
  });

  it('goes below zero for an author whom the viewer keeps hiding', async () => {
    await note(await did('HIDE'), await did('HIDE'));
    expect(await affinityOf('ben')).toBeCloseTo(-0.5, 4);
  });

  it('survives two that write the same authors at once, in any order', async () => {
    const both = [await did('COMMENT', 'ben'), await did('COMMENT', 'cat'), await did('COMMENT', 'dan')];
    await Promise.all(
      Array.from({ length: 20 }, (_, turn) => note(...(turn % 2 ? both : both.toReversed()))),
    );
    expect(await sumOf('ben')).toBe(60);
    expect(await sumOf('dan')).toBe(60);
  });
});

describe('what a read is ranked by', () => {
  it('comes from Redis where Redis knows, without a statement', async () => {
    await note(await did('SHARE'));
    await affinityOf('ben');
    const mute = { ...world.postgres, query: () => Promise.reject(new Error('no statement was expected')) };
    const { affinityOf: of } = await world.another({ postgres: mute }).of('ann', START);
    expect(of('ben')).toBeCloseTo(5 / 15, 4);
    const [key] = await keysLike(world.redis, 'tidings:feed:affinities:*');
    expect(await world.redis.pttl(key!)).toBeGreaterThan(4 * 60_000);
  });

  it('ignores what it cannot parse in Redis', async () => {
    await note(await did('SHARE'));
    for (const other of ['not JSON', '[]', '{"ben": "close"}', '{"ben": 7}']) {
      await world.redis.set('tidings:feed:affinities:ann', other);
      expect(await affinityOf('ben')).toBeCloseTo(5 / 15, 4);
    }
  });

  it('is right again after Redis lost everything', async () => {
    await note(await did('SHARE'));
    await affinityOf('ben');
    await forgetAll(world.redis);
    expect(await affinityOf('ben')).toBeCloseTo(5 / 15, 4);
  });

  it('is there while Redis, or Postgres, or both are away', async () => {
    await note(await did('SHARE'));
    const nowhere = openRedis(['redis://127.0.0.1:1'], () => undefined);
    const gone = openPostgres('postgres://nobody@127.0.0.1:1/none', {
      max: 1,
      applicationName: 'ranking test',
      onError: () => undefined,
    });
    try {
      for (const away of [{ postgres: gone }, { redis: nowhere }, { redis: nowhere, postgres: gone }]) {
        const ranking = world.another({ ...away, timeoutMs: 100 });
        const context = await ranking.of('ann', START);
        expect(ranking.rank([], context)).toEqual({ ranked: [], fellBack: false });
        expect(Number.isFinite(context.affinityOf('ben'))).toBe(true);
      }
    } finally {
      nowhere.disconnect();
      await gone.close();
    }
  });

  it('is what another predictor says, where there is one', async () => {
    const predictor = { predict: () => ({ like: 1, comment: 1, share: 1, click: 1, hide: 1 }) };
    expect((await world.another({ predictor }).of('ann', START)).predictor).toBe(predictor);
  });
});

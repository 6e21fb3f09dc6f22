import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contentTypeOf } from '../../src/domains/feed/ranking/content.js';
import type { Interaction } from '../../src/domains/feed/ranking/interactions.js';
import { findLearnedRates } from '../../src/domains/feed/ranking/learn.js';
import type { Media } from '../../src/domains/feed/types.js';
import { candidate, contextOf, postBy, shipped } from './ranking-posts.js';
import { DAY, openRankingWorld, type RankingWorld, START } from './ranking-world.js';
import { costOf } from './statement-cost.js';

let world: RankingWorld;
beforeAll(async () => {
  world = await openRankingWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.postgres.query('TRUNCATE signals, affinities, ranking_models, media');
  world.clock.at = START;
});

const note = (readerId: string, postId: string, ...kinds: Interaction['kind'][]) =>
  world.ranking.noteInteractions(
    world.postgres,
    kinds.map((kind) => ({ readerId, postId, personId: null, kind, at: new Date(world.clock.at) })),
  );
const learned = async () => findLearnedRates(world);
const none = { like: 0, comment: 0, share: 0, click: 0, hide: 0 };

describe('learning', () => {
  it('counts each reader and post once, and only what was shown', async () => {
    const [one, other] = [await world.post('ben'), await world.post('cat')];
    await note('ann', one, 'IMPRESSION', 'IMPRESSION', 'CLICK', 'CLICK', 'LIKE');
    await note('dan', one, 'IMPRESSION');
    await note('eve', one, 'LIKE');
    await note('ann', other, 'IMPRESSION', 'HIDE', 'COMMENT', 'SHARE');
    expect(await world.ranking.learn()).toBe(3);
    expect(await learned()).toEqual({
      types: { text: { views: 3, like: 1, comment: 1, share: 1, click: 1, hide: 1 } },
      authors: {
        ben: { ...none, views: 2, like: 1, click: 1 },
        cat: { ...none, views: 1, comment: 1, share: 1, hide: 1 },
      },
    });
  });

  it('distinguishes kinds of content as ranking does', async () => {
    const long = 'x'.repeat(500);
    const media = (kind: Media['kind']) => async () => {
      const mediaId = world.ids.next();
      const postId = await world.post('ben');
      await world.postgres.query(
        `INSERT INTO media (media_id, owner_id, kind, content_type, bytes, storage_key) VALUES ($1, 'ben', $2, '', 1, '')`,
        [mediaId, kind],
      );
      await world.postgres.query('UPDATE posts SET media_ids = $2 WHERE post_id = $1', [postId, [mediaId]]);
      return { postId, post: postBy('ben', { media: [{ kind } as Media] }) };
    };
    const text = (content: string) => async () => ({
      postId: await world.post('ben', { content }),
      post: postBy('ben', { content }),
    });
    const kinds = [
      text('plain words'),
      text('see https://example.com'),
      text(`${long} https://example.com`),
      media('image'),
      media('video'),
      async () => {
        const shares = world.ids.next();
        return {
          postId: await world.post('ben', { shares, content: 'https://example.com' }),
          post: postBy('ben', { sharedPostId: shares }),
        };
      },
    ];
    for (const make of kinds) {
      await world.postgres.query('TRUNCATE signals');
      const { postId, post } = await make();
      await note('ann', postId, 'IMPRESSION');
      await world.ranking.learn();
      expect(Object.keys((await learned()).types)).toEqual([contentTypeOf(post)]);
    }
  });

  it('learns nothing from nothing, keeps ten models, and looks back 30 days', async () => {
    expect(await world.ranking.learn()).toBe(0);
    const postId = await world.post('ben');
    await note('ann', postId, 'IMPRESSION');
    for (let run = 0; run < 12; run++) expect(await world.ranking.learn()).toBe(1);
    expect((await world.postgres.query('SELECT FROM ranking_models')).rowCount).toBe(10);
    world.clock.at += 31 * DAY;
    expect(await world.ranking.learn()).toBe(0);
  });

  it('is used by the next process at once, and changes the order', async () => {
    const [dull, loved] = [await world.post('ben'), await world.post('cat')];
    for (const readerId of ['ann', 'dan', 'eve']) {
      await note(readerId, dull, 'IMPRESSION', 'HIDE');
      await note(readerId, loved, 'IMPRESSION', 'LIKE', 'SHARE');
    }
    const posts = [
      candidate(postBy('ben', { postId: dull, hours: 5 })),
      candidate(postBy('cat', { postId: loved, hours: 5.5 })),
    ];
    const order = async () => {
      const ranking = world.another();
      const context = { ...(await ranking.of('nobody', START)), now: contextOf().now };
      return ranking.rank(posts, context).ranked.map(({ post }) => post.author.userId);
    };
    expect(await order()).toEqual(['ben', 'cat']);
    await world.ranking.learn();
    expect(await order()).toEqual(['cat', 'ben']);
  });
});

describe('what learning reads', () => {
  it('is the newest 100,000 signals, and their posts step by step, however much there is', async () => {
    await world.postgres.query(
      `INSERT INTO posts (post_id, author_id, content, position, created_at)
       SELECT ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, (SELECT id FROM users WHERE user_id = 'ben'), repeat('x', 500), 1, now()
       FROM generate_series(0, 39999) AS n`,
    );
    await world.postgres.query(
      `INSERT INTO signals (user_id, author_id, post_id, kind, at)
       SELECT (SELECT id FROM users WHERE user_id = 'ann') + n / 40000, (SELECT id FROM users WHERE user_id = 'ben'),
              ('01890000-0000-7000-8000-' || lpad((n::bigint * 7919 % 40000)::text, 12, '0'))::uuid, 'IMPRESSION', $1::timestamptz - (300000 - n) * interval '1 second'
       FROM generate_series(1, 300000) AS n`,
      [new Date(START)],
    );
    await world.postgres.query('VACUUM ANALYZE signals, posts');
    const costs: Awaited<ReturnType<typeof costOf>>[] = [];
    const postgres = {
      query: async (statement: { text: string }, values: readonly unknown[] = []) => {
        if (!/ranking_models/.test(statement.text))
          costs.push(await costOf(world.postgres, statement, values));
        return world.postgres.query(statement as never, values as never);
      },
    } as unknown as typeof world.postgres;
    expect(await world.another({ postgres }).learn()).toBe(100_000);
    expect((await learned()).authors.ben).toMatchObject({ views: 100_000 });
    expect(costs.length).toBeGreaterThan(40);
    expect(costs.reduce((sum, { rowsOf }) => sum + rowsOf('signals'), 0)).toBe(100_000);
    expect(Math.max(...costs.map(({ blocks }) => blocks))).toBeLessThan(8_000);
  });
});

describe('the budget', () => {
  it('puts the feed in time order when it is used up, and counts that', async () => {
    let at = 0;
    const monotonic = () => {
      at += 10;
      return at;
    };
    const metrics = new Registry();
    const ranking = world.another({ monotonic, metrics });
    const posts = Array.from({ length: 40 }, (_, n) =>
      candidate(
        postBy(`author ${n}`, { postId: `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`, hours: n }),
      ),
    );
    const { ranked, fellBack } = ranking.rank(posts, await ranking.of('ann', START));
    expect(fellBack).toBe(true);
    expect(ranked.map(({ post }) => post.author.userId)).toEqual(posts.map(({ post }) => post.author.userId));
    expect(await metrics.metrics()).toContain('feed_ranking_fallbacks_total 1');
    const quick = world.another({ monotonic: () => 0 });
    expect(quick.rank(posts, await quick.of('ann', START)).fellBack).toBe(false);
  });

  it('is 30 ms', () => expect(shipped.stages.budgetMs).toBe(30));
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Predictions } from '../../src/domains/feed/ranking/predictor.js';
import { type Ranked, type RankingContext, rank } from '../../src/domains/feed/ranking/rank.js';
import { createRatesPredictor } from '../../src/domains/feed/ranking/rates-predictor.js';
import type { Post } from '../../src/domains/feed/types.js';
import { candidate, contextOf, PLAIN, postBy, shipped } from './ranking-posts.js';

const rankOne = (post: Post, own: Partial<RankingContext> = {}): Ranked =>
  rank([candidate(post)], contextOf(own)).ranked[0]!;
const scoreOf = (post: Post, own: Partial<RankingContext> = {}) => rankOne(post, own).score;
const term = ({ terms }: Ranked, name: string) => terms.find((one) => one.name === name)!;

const ordered = (value: fc.Arbitrary<number>) =>
  fc.tuple(value, value).map((both) => both.sort((a, b) => a - b));
const counts = ordered(fc.nat(1_000_000));

describe('a score', () => {
  it('never falls with the affinity to the author', () => {
    fc.assert(
      fc.property(ordered(fc.double({ min: -1, max: 1, noNaN: true })), ([less, more]) => {
        const at = (affinity: number) => scoreOf(postBy('ada'), { affinityOf: () => affinity });
        expect(at(more!)).toBeGreaterThanOrEqual(at(less!));
      }),
    );
    expect(scoreOf(postBy('ada'), { affinityOf: () => 0.5 })).toBeGreaterThan(scoreOf(postBy('ada')));
  });

  it('never rises with the age of the post', () => {
    fc.assert(
      fc.property(ordered(fc.double({ min: 0, max: 10_000, noNaN: true })), ([newer, older]) => {
        expect(scoreOf(postBy('ada', { hours: newer! }))).toBeGreaterThanOrEqual(
          scoreOf(postBy('ada', { hours: older! })),
        );
      }),
    );
  });

  it('never falls with likes, comments or shares', () => {
    for (const name of ['likeCount', 'commentCount', 'shareCount'] as const) {
      fc.assert(
        fc.property(counts, ([fewer, more]) => {
          expect(scoreOf(postBy('ada', { [name]: more! }))).toBeGreaterThanOrEqual(
            scoreOf(postBy('ada', { [name]: fewer! })),
          );
        }),
      );
      expect(scoreOf(postBy('ada', { [name]: 10 }))).toBeGreaterThan(scoreOf(postBy('ada')));
    }
  });

  it('falls with the probability that the viewer hides it, and rises with all others', () => {
    const even: Predictions = { like: 0.1, comment: 0.1, share: 0.1, click: 0.1, hide: 0.1 };
    const at = (change: Partial<Predictions>) =>
      scoreOf(postBy('ada'), { predictor: { predict: () => ({ ...even, ...change }) } });
    expect(at({ hide: 0.2 })).toBeLessThan(at({}));
    for (const name of ['like', 'comment', 'share', 'click'] as const)
      expect(at({ [name]: 0.2 })).toBeGreaterThan(at({}));
  });

  it('halves its recency in 6 hours (news feed document, Ranking)', () => {
    const recencyAt = (hours: number) => term(rankOne(postBy('ada', { hours })), 'recency').value;
    expect([0, 6, 12, 18].map(recencyAt)).toEqual([1, 1 / 2, 1 / 3, 1 / 4]);
    expect(recencyAt(-1)).toBe(1);
  });

  it('is fresh for an hour', () => {
    const freshnessAt = (hours: number) => term(rankOne(postBy('ada', { hours })), 'freshness').value;
    expect([0, 0.5, 1, 2].map(freshnessAt)).toEqual([1, 0.5, 0, 0]);
  });

  it('is lower for a post that policy labelled, that angers its readers, or by whom the viewer hides', () => {
    const angry = { LIKE: 0, LOVE: 0, HAHA: 0, WOW: 0, SAD: 0, ANGRY: 90 };
    const value = (post: Post, affinity = 0) =>
      term(rankOne(post, { affinityOf: () => affinity }), 'negative').value;
    expect(value(postBy('ada'))).toBe(0);
    expect(value(postBy('ada', { labels: ['sensitive'] }))).toBe(0.5);
    expect(value(postBy('ada', { reactionCounts: angry }))).toBe(0.9);
    expect(value(postBy('ada'), -0.6)).toBe(0.6);
  });
});

describe('content quality', () => {
  const quality = (own: Partial<Post>) => term(rankOne(postBy('ada', own)), 'quality').value;
  it('is a text of some length and something to look at', () => {
    expect(quality({ content: '' })).toBe(0);
    expect(quality({ content: PLAIN.slice(0, 69) })).toBeLessThan(0.6);
    expect(quality({})).toBeCloseTo(0.6);
    expect(quality({ sharedPostId: '01890000-0000-7000-8000-000000000002' })).toBe(1);
  });
  it('is halved by shouting, and by too many tags', () => {
    expect(quality({ content: PLAIN.toUpperCase() })).toBeCloseTo(0.3);
    expect(quality({ content: `${PLAIN} #a #b #c @d #e #f` })).toBeCloseTo(0.3);
    expect(quality({ content: `${PLAIN} #a #b #c @d #e` })).toBeCloseTo(0.6);
  });
});

describe('the order', () => {
  const numbered = (author: string, n: number, own: Partial<Post> = {}) =>
    candidate(postBy(author, { postId: `01890000-0000-7000-8000-00000000000${n}`, ...own }));

  it('counts the n-th further post of an author 0.75 · 0.5ⁿ + 0.25', () => {
    const { ranked } = rank(
      [1, 2, 3, 4].map((n) => numbered('ada', n)),
      contextOf(),
    );
    const base = ranked[0]!.terms.slice(0, -2).reduce((sum, { weight, value }) => sum + weight * value, 0);
    expect(ranked.map((one) => 1 + term(one, 'diversity').value / base)).toEqual([
      1,
      expect.closeTo(0.625, 9),
      expect.closeTo(0.4375, 9),
      expect.closeTo(0.34375, 9),
    ]);
  });

  it('lets another author come between the posts of one', () => {
    const { ranked } = rank(
      [numbered('ada', 1, { likeCount: 9 }), numbered('ada', 2, { likeCount: 9 }), numbered('bob', 3)],
      contextOf(),
    );
    expect(ranked.map(({ post }) => post.author.userId)).toEqual(['ada', 'bob', 'ada']);
  });

  it('lets another kind of content come between many of one', () => {
    const texts = Array.from({ length: 9 }, (_, n) => numbered(`author ${n}`, n));
    const link = numbered('linker', 9, {
      content: `${PLAIN.slice(0, 70)} https://example.com`,
      hours: 8,
    } as Partial<Post>);
    const predictor = { predict: () => ({ like: 0, comment: 0, share: 0, click: 0, hide: 0 }) };
    const weights = { ...shipped.weights, quality: 0, recency: 1 };
    const at = (mix: number) =>
      rank([...texts, link], contextOf({ predictor, weights: { ...weights, mix } })).ranked.findIndex(
        ({ post }) => post.author.userId === 'linker',
      );
    expect(at(0)).toBe(9);
    expect(at(1)).toBeLessThan(5);
  });
});

describe('the default predictor', () => {
  const features = {
    authorId: 'ada',
    type: 'text',
    affinity: 0,
    age: 0,
    reactions: 0,
    comments: 0,
    shares: 0,
  } as const;
  const tally = { views: 0, like: 0, comment: 0, share: 0, click: 0, hide: 0 };
  it('knows the priors before it has learned, and what it saw after it saw much', () => {
    const { priors } = shipped.predictor;
    const before = createRatesPredictor(shipped.predictor, { types: {}, authors: {} }).predict(features);
    for (const [outcome, prior] of Object.entries(priors))
      expect(before[outcome as keyof Predictions]).toBeCloseTo(prior, 9);
    const seen = { ...tally, views: 1_000_000, like: 300_000 };
    const after = createRatesPredictor(shipped.predictor, { types: { text: seen }, authors: {} });
    expect(after.predict(features).like).toBeCloseTo(0.3, 3);
    expect(after.predict({ ...features, type: 'video' }).like).toBeCloseTo(priors.like, 9);
  });
  it('trusts the rates of an author who was seen twice only a little', () => {
    const twice = createRatesPredictor(shipped.predictor, {
      types: {},
      authors: { ada: { ...tally, views: 2, like: 2 } },
    });
    expect(twice.predict(features).like).toBeCloseTo((50 * 0.05 + 2) / 52, 9);
  });
  it('answers probabilities, whatever was counted', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.double({ min: -1, max: 1, noNaN: true }), (views, did, affinity) => {
        const odd = { views, like: did, comment: did, share: did, click: did, hide: did };
        const predictor = createRatesPredictor(shipped.predictor, {
          types: { text: odd },
          authors: { ada: odd },
        });
        for (const value of Object.values(predictor.predict({ ...features, affinity, reactions: did }))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

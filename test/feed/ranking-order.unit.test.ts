import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, type Ranked, rank } from '../../src/domains/feed/ranking/rank.js';
import { newestFirst, type Post } from '../../src/domains/feed/types.js';
import { candidate, contextOf, HOUR, NOW, postBy, shipped } from './ranking-posts.js';

const hostile = fc.oneof(
  fc.double(),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -1,
    -0,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    2 ** 53,
  ),
  fc.constant(undefined as unknown as number),
);
const sane = fc.nat(100_000);

const postsWith = (count: fc.Arbitrary<number>, ages: fc.Arbitrary<number>): fc.Arbitrary<Post> =>
  fc
    .record({
      postId: fc.uuid({ version: 7 }),
      author: fc.constantFrom('ada', 'bob', 'cyd', 'dan'),
      content: fc.oneof(
        fc.string({ unit: 'grapheme', maxLength: 700 }),
        fc.constant('SEE https://example.com NOW'),
      ),
      labels: fc.array(fc.constant('sensitive'), { maxLength: 3 }),
      shared: fc.option(fc.uuid()),
      hours: ages,
      likes: count,
      angry: count,
      comments: count,
      shares: count,
    })
    .map(({ author, hours, likes, angry, comments, shares, shared, ...rest }) =>
      postBy(author, {
        ...rest,
        hours,
        sharedPostId: shared,
        likeCount: likes,
        commentCount: comments,
        shareCount: shares,
        reactionCounts: { LIKE: likes, LOVE: 0, HAHA: 0, WOW: 0, SAD: 0, ANGRY: angry },
      }),
    );
const candidatesOf = (post: fc.Arbitrary<Post>, maxLength = 60): fc.Arbitrary<Candidate[]> =>
  fc.uniqueArray(post, { maxLength, selector: (one) => one.postId }).map((posts) => posts.map(candidate));

const sanePosts = postsWith(sane, fc.double({ min: 0, max: 1_000, noNaN: true }));
const hostilePosts = postsWith(hostile, hostile);
const idsOf = (ranked: readonly Candidate[]) => ranked.map(({ post }) => post.postId);
const scoredOf = (ranked: readonly Ranked[]) =>
  ranked.filter(({ terms }) => terms.some(({ name }) => name === 'affinity'));
const placeOf = ({ post }: Candidate) => ({ at: post.createdAt.getTime(), postId: post.postId });

describe('whatever comes in', () => {
  it('keeps every post once, and says why: terms that add up to the score, as they are printed', () => {
    fc.assert(
      fc.property(candidatesOf(hostilePosts), hostile, (candidates, affinity) => {
        const { ranked } = rank(candidates, contextOf({ affinityOf: () => affinity }));
        expect(idsOf(ranked).sort()).toEqual(idsOf(candidates).sort());
        for (const { score, terms } of printed(ranked)) {
          expect(Number.isFinite(score)).toBe(true);
          const sum = terms.reduce((total, { weight, value }) => total + weight * value, 0);
          expect(Math.abs(sum - score)).toBeLessThan(1e-9);
        }
      }),
    );
  });

  it('gives the same posts the same order, however they come', () => {
    fc.assert(
      fc.property(candidatesOf(hostilePosts), fc.infiniteStream(fc.nat()), (candidates, keys) => {
        const shuffled = candidates
          .map((one) => ({ one, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        expect(idsOf(rank(shuffled, contextOf()).ranked)).toEqual(
          idsOf(rank(candidates, contextOf()).ranked),
        );
      }),
    );
  });

  it('never rises from one place to the next, and puts the newer of equals first', () => {
    fc.assert(
      fc.property(candidatesOf(sanePosts), (candidates) => {
        const { ranked } = rank(candidates, contextOf());
        for (const [i, one] of ranked.slice(1).entries()) {
          const above = ranked[i]!;
          expect(above.score).toBeGreaterThanOrEqual(one.score);
          if (above.score === one.score) expect(newestFirst(placeOf(above), placeOf(one))).toBeLessThan(0);
        }
      }),
    );
  });

  it('does not change the terms that a post has by itself when another comes', () => {
    fc.assert(
      fc.property(candidatesOf(sanePosts), fc.nat(), (candidates, index) => {
        fc.pre(candidates.length > 0);
        const without = candidates.toSpliced(index % candidates.length, 1);
        const own = new Map(
          rank(candidates, contextOf()).ranked.map(({ post, terms }) => [post.postId, terms.slice(0, -2)]),
        );
        for (const { post, terms } of rank(without, contextOf()).ranked)
          expect(terms.slice(0, -2)).toEqual(own.get(post.postId));
      }),
    );
  });
});

describe('stages', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      candidate(
        postBy(`author ${i % 40}`, {
          postId: `01890000-0000-7000-8000-${String(i).padStart(12, '0')}`,
          hours: i / 10,
        }),
      ),
    );

  it('scores all of 300 candidates, and the likeliest 300 of 1,000', () => {
    expect(scoredOf(rank(many(300), contextOf()).ranked)).toHaveLength(300);
    const { ranked, fellBack } = rank(many(1_000), contextOf());
    const scored = scoredOf(ranked);
    expect(scored).toHaveLength(300);
    expect(fellBack).toBe(false);
    // Nothing but age tells them apart.
    expect(Math.max(...scored.map(({ post }) => NOW - post.createdAt.getTime()))).toBeLessThan(30 * HOUR);
  });

  it('keeps every post whatever the settings are: those that are not scored come behind, newest first', () => {
    const stages = fc.record({
      candidates: fc.integer({ min: 1, max: 40 }),
      scored: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(candidatesOf(sanePosts), stages, fc.boolean(), (candidates, own, isLate) => {
        const curves = { ...shipped, stages: { ...shipped.stages, ...own } };
        const { ranked } = rank(candidates, contextOf({ curves, deadline: () => isLate }));
        expect(idsOf(ranked).sort()).toEqual(idsOf(candidates).sort());
        const scored = isLate ? 0 : scoredOf(ranked).length;
        if (!isLate && candidates.length > own.scored)
          expect(scored).toBe(Math.min(own.scored, own.candidates));
        const others = ranked.slice(scored);
        expect(idsOf(others)).toEqual(idsOf(others.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b)))));
        expect(ranked.map(({ score }) => score)).toEqual(
          ranked.map(({ score }) => score).toSorted((a, b) => b - a),
        );
        for (const { score, terms } of ranked)
          expect(terms.reduce((sum, { weight, value }) => sum + weight * value, 0)).toBeCloseTo(score, 9);
      }),
    );
  });

  it('keeps an old post of a close friend among the likeliest', () => {
    const friend = candidate(postBy('friend', { hours: 90 }));
    const context = contextOf({ affinityOf: (authorId) => (authorId === 'friend' ? 1 : 0) });
    expect(idsOf(scoredOf(rank([...many(900), friend], context).ranked))).toContain(friend.post.postId);
  });

  it('falls back to time order wherever in the middle time is over, and never loses a post by it', () => {
    const candidates = many(100);
    const byTime = idsOf(candidates.toSorted((a, b) => newestFirst(placeOf(a), placeOf(b))));
    let looks = 0;
    const counting = () => {
      looks++;
      return false;
    };
    expect(rank(candidates, contextOf({ deadline: counting })).fellBack).toBe(false);
    for (let over = 1; over <= looks; over++) {
      let looked = 0;
      const { ranked, fellBack } = rank(candidates, contextOf({ deadline: () => ++looked >= over }));
      expect(fellBack).toBe(true);
      expect(idsOf(ranked)).toEqual(byTime);
      for (const { score, terms } of ranked) {
        expect(terms.map(({ name }) => name)).toEqual(['recency']);
        expect(terms[0]!.weight * terms[0]!.value).toBe(score);
      }
    }
    expect(looks).toBeGreaterThan(10);
  });

  it('orders equal posts by id, the newer first', () => {
    const same = Array.from({ length: 40 }, (_, i) =>
      candidate(
        postBy(`author ${(i * 7) % 40}`, {
          postId: `01890000-0000-7000-8000-${String(i).padStart(12, '0')}`,
        }),
      ),
    );
    expect(idsOf(rank(same, contextOf()).ranked)).toEqual(idsOf(same).toReversed());
  });

  it('has an order for no post at all', () => {
    expect(rank([], contextOf())).toEqual({ ranked: [], fellBack: false });
  });

  it('does with whatever weights there are', () => {
    const weights = { ...shipped.weights, recency: 0, diversity: 5, mix: 100 };
    const { ranked } = rank(many(50), contextOf({ weights }));
    expect(ranked.map(({ score }) => score)).toEqual(
      ranked.map(({ score }) => score).toSorted((a, b) => b - a),
    );
  });
});

const printed = (ranked: readonly Ranked[]) =>
  JSON.parse(JSON.stringify(ranked.map(({ score, terms }) => ({ score, terms })))) as Pick<
    Ranked,
    'score' | 'terms'
  >[];

import { newestFirst, type Post, type PostPlace } from '../types.js';
import type { ContentType } from './predictor.js';
import type { Candidate, FeedSource, Ranked, RankingContext, ScoreTerm } from './rank.js';
import { type OwnTerms, toTerms } from './score.js';
import type { RankingCurves, RankingWeights } from './settings.js';

/** Candidates between two looks at the clock. */
export const BATCH = 16;

/** A candidate with its own terms. */
export interface Scored {
  readonly candidate: Candidate;
  readonly place: PostPlace;
  readonly type: ContentType;
  readonly own: OwnTerms;
  /** The sum of `own`. */
  readonly base: number;
}

/** A candidate in its place. A page shows a fifth of what was ranked: terms are computed when they are asked for. */
class Arranged implements Ranked {
  readonly post: Post;
  readonly source: FeedSource;

  constructor(
    private readonly scored: Scored,
    readonly score: number,
    private readonly diversity: number,
    private readonly mix: number,
    private readonly weights: RankingWeights,
  ) {
    this.post = scored.candidate.post;
    this.source = scored.candidate.source;
  }

  get terms(): readonly ScoreTerm[] {
    return [
      ...toTerms(this.scored.own),
      { name: 'diversity', weight: this.weights.diversity, value: this.diversity },
      { name: 'mix', weight: this.weights.mix, value: this.mix },
    ];
  }
}

/**
 * Chooses place after place: each time the best of what is left, where the n-th further post of one author and the n-th
 * of one type count for less. Both only ever lower a score, so scores never rise from one place to the next; equal ones
 * are newest first. Nothing is left out.
 *
 * @returns null where the deadline passed meanwhile
 */
export function arrange(scored: readonly Scored[], context: RankingContext): readonly Ranked[] | null {
  const { weights, curves } = context;
  const authors = new Map<string, Repeats>();
  const types = new Map<ContentType, Repeats>();
  const rest = [...scored]
    .sort((a, b) => b.base - a.base || newestFirst(a.place, b.place))
    .map((one) => ({
      one,
      author: repeatsOf(authors, one.candidate.post.author.userId),
      type: repeatsOf(types, one.type),
    }));
  const arranged: Ranked[] = [];
  while (rest.length > 0) {
    if (arranged.length % BATCH === 0 && context.deadline()) return null;
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    const leastLoss = weights.mix * least(types);
    for (let i = 0; i < rest.length; i++) {
      const { one, author, type } = rest[i]!;
      // The most it can get; those after it can get less.
      if (one.base + leastLoss < bestScore) break;
      // In the order of the terms, so that adding them up gives the same number.
      const score = one.base + weights.diversity * diversity(one, author) + weights.mix * type.loss;
      const isEqual = score === bestScore;
      if (isEqual ? newestFirst(one.place, rest[best]!.one.place) < 0 : score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    const { one, author, type } = rest.splice(best, 1)[0]!;
    arranged.push(new Arranged(one, bestScore, diversity(one, author), type.loss, weights));
    author.loss = authorLoss(++author.posts, curves);
    type.loss = typeLoss(++type.posts, curves);
  }
  return arranged;
}

/** How many posts of one author, or of one type, have their place, and what the next one loses: `diversity` or `mix`. */
interface Repeats {
  posts: number;
  loss: number;
}

function repeatsOf<Key>(known: Map<Key, Repeats>, key: Key): Repeats {
  const before = known.get(key);
  if (before) return before;
  const repeats = { posts: 0, loss: 0 };
  known.set(key, repeats);
  return repeats;
}

/** What the next post loses where its type loses least. */
function least(types: ReadonlyMap<ContentType, Repeats>): number {
  let loss = Number.NEGATIVE_INFINITY;
  for (const type of types.values()) loss = Math.max(loss, type.loss);
  return loss;
}

/** The n-th further post of an author counts 0.75 · 0.5ⁿ + 0.25 of what it has by itself: the share that it loses. */
const authorLoss = (before: number, { authorDiversity: { decay, floor } }: RankingCurves): number =>
  1 - ((1 - floor) * decay ** before + floor);

const diversity = ({ base }: Scored, author: Repeats): number => 0 - Math.max(0, base) * author.loss;

/** What the n-th further post of a type loses: from 0 towards −1. */
const typeLoss = (before: number, { contentMix }: RankingCurves): number =>
  0 - before / (before + contentMix.halfAt);

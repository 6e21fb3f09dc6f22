import { newestFirst, type Post, type PostPlace } from '../types.js';
import type { Predictor } from './predictor.js';
import type { RankingWeights } from './settings.js';

/** Where a post of a feed came from. */
export type FeedSource = 'FANOUT' | 'CELEBRITY' | 'DATABASE' | 'OWN' | 'SPONSORED';

export interface Candidate {
  readonly post: Post;
  readonly source: FeedSource;
}

/** One reason for a place. */
export interface ScoreTerm {
  readonly name: string;
  readonly weight: number;
  readonly value: number;
}

/** A candidate in its place: `score` is the sum of weight · value over `terms`. */
export interface Ranked extends Candidate {
  readonly score: number;
  readonly terms: readonly ScoreTerm[];
}

/** What one ranking stands on, beside the posts. */
export interface RankingContext {
  /** The scoring instant, in milliseconds since the epoch. */
  readonly now: number;
  /** By author's user id, from −1 (the viewer keeps hiding them) over 0 (a stranger) to 1. */
  readonly affinityOf: (authorId: string) => number;
  readonly predictor: Predictor;
  readonly weights: RankingWeights;
  /** Whether the time for ranking is over. */
  readonly deadline: () => boolean;
}

/** Puts candidates in order, best first; `fellBack` where time was over and the order is that of time. */
export function rank(
  candidates: readonly Candidate[],
  context: RankingContext,
): { ranked: readonly Ranked[]; fellBack: boolean } {
  return { ranked: byTime(candidates, context), fellBack: true };
}

const HALF_LIFE_MS = 6 * 3_600_000;

function byTime(candidates: readonly Candidate[], { now, weights }: RankingContext): readonly Ranked[] {
  return candidates
    .toSorted((a, b) => newestFirst(placeOf(a), placeOf(b)))
    .map((candidate) => {
      const age = Math.max(0, now - candidate.post.createdAt.getTime());
      const recency = { name: 'recency', weight: weights.recency, value: 1 / (1 + age / HALF_LIFE_MS) };
      return { ...candidate, score: recency.weight * recency.value, terms: [recency] };
    });
}

const placeOf = ({ post }: Candidate): PostPlace => ({ at: post.createdAt.getTime(), postId: post.postId });

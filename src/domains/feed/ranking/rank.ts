import { newestFirst, type Post, type PostPlace } from '../types.js';
import type { AffinityOf } from './affinities.js';
import { arrange, BATCH, type Scored } from './arrange.js';
import type { Predictor } from './predictor.js';
import { ageOf, guess, recencyOf, sumOf, valuesOf, weightsOf } from './score.js';
import type { RankingCurves, RankingWeights } from './settings.js';

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

/** What one ranking needs beside the posts. */
export interface RankingContext {
  /** The scoring instant, in milliseconds since the epoch. */
  readonly now: number;
  readonly affinityOf: AffinityOf;
  readonly predictor: Predictor;
  readonly weights: RankingWeights;
  readonly curves: RankingCurves;
  /** Whether the deadline has passed. */
  readonly deadline: () => boolean;
}

/**
 * Puts candidates in order, best first, in three stages (news feed document, Ranking): the best of them by a guess,
 * at most 300 of the newest 1,000; a score for each; and an order in which neither an author nor a type of content
 * crowds out the others. The others come behind, newest first. The same candidates get the same order, whatever the order
 * of the input; none is left out.
 *
 * Where the deadline passes before it is done, posts are in time order, newest first, `recency` is the only term, and
 * `fellBack` is true.
 *
 * @param candidates each post once
 */
export function rank(
  candidates: readonly Candidate[],
  context: RankingContext,
): { ranked: readonly Ranked[]; fellBack: boolean } {
  const { likely, others } = likeliest(candidates, context);
  const scored = context.deadline() ? null : score(likely, context);
  const best = scored && arrange(scored, context);
  if (!best) return { ranked: rankByTime(candidates, context), fellBack: true };
  return {
    ranked: others.length === 0 ? best : [...best, ...behind(best, others, context)],
    fellBack: false,
  };
}

/** All candidates, newest first; `recency` is the only term. */
export const rankByTime = (
  candidates: readonly Candidate[],
  context: Pick<RankingContext, 'now' | 'weights' | 'curves'>,
): readonly Ranked[] =>
  candidates.toSorted(byPlace).map(({ post, source }) => {
    const value = recencyOf(ageOf(post, context.now), context);
    const weight = context.weights.recency;
    return { post, source, score: weight * value, terms: [{ name: 'recency', weight, value }] };
  });

interface Chosen {
  readonly likely: readonly Candidate[];
  readonly others: readonly Candidate[];
}

function likeliest(candidates: readonly Candidate[], context: RankingContext): Chosen {
  const { stages } = context.curves;
  if (candidates.length <= stages.scored) return { likely: candidates, others: [] };
  const newest = candidates.toSorted(byPlace);
  const guessed = newest
    .slice(0, stages.candidates)
    .map((candidate) => ({ candidate, guessed: guess(candidate.post, context) }))
    .sort((a, b) => b.guessed - a.guessed || byPlace(a.candidate, b.candidate))
    .map(({ candidate }) => candidate);
  return {
    likely: guessed.slice(0, stages.scored),
    others: [...guessed.slice(stages.scored), ...newest.slice(stages.candidates)],
  };
}

/** By time, and with a term that keeps their scores from being above the lowest one of `best`. */
function behind(
  best: readonly Ranked[],
  others: readonly Candidate[],
  context: RankingContext,
): readonly Ranked[] {
  const lowest = best.at(-1)!.score;
  return rankByTime(others, context).map(({ score, terms, ...one }) => {
    const value = Math.min(0, lowest - score);
    return { ...one, score: score + value, terms: [...terms, { name: 'unscored', weight: 1, value }] };
  });
}

function score(candidates: readonly Candidate[], context: RankingContext): readonly Scored[] | null {
  const scored: Scored[] = [];
  const weights = weightsOf(context);
  for (const candidate of candidates) {
    if (scored.length % BATCH === BATCH - 1 && context.deadline()) return null;
    const { type, values } = valuesOf(candidate.post, context);
    const own = { weights, values };
    scored.push({ candidate, place: placeOf(candidate), type, own, base: sumOf(own) });
  }
  return scored;
}

const byPlace = (a: Candidate, b: Candidate): number => newestFirst(placeOf(a), placeOf(b));

/** A post without a time is below all others. */
const placeOf = ({ post }: Candidate): PostPlace => ({
  at: post.createdAt.getTime() || 0,
  postId: post.postId,
});

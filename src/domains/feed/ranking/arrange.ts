import { newestFirst, type PostPlace } from '../types.js';
import type { ContentType } from './predictor.js';
import type { Candidate, Ranked, RankingContext, ScoreTerm } from './rank.js';

/** A candidate with the terms that it has by itself. */
export interface Scored {
  readonly candidate: Candidate;
  readonly place: PostPlace;
  readonly type: ContentType;
  readonly terms: readonly ScoreTerm[];
  /** The sum of `terms`. */
  readonly base: number;
}

/** How many before it had the same author and the same type. */
interface Before {
  readonly author: number;
  readonly type: number;
}

/**
 * Chooses place after place: each time the best of what is left, where the n-th further post of one author and the n-th
 * of one type count for less. Both only ever lower a score, so scores never rise from one place to the next; equal ones
 * stand newest first. Nothing is left out.
 *
 * @returns null where the deadline passed meanwhile
 */
export function arrange(scored: readonly Scored[], context: RankingContext): readonly Ranked[] | null {
  const rest = [...scored].sort((a, b) => newestFirst(a.place, b.place));
  const authors = new Map<string, number>();
  const types = new Map<ContentType, number>();
  const beforeOf = ({ candidate, type }: Scored): Before => ({
    author: authors.get(candidate.post.author.userId) ?? 0,
    type: types.get(type) ?? 0,
  });
  const arranged: Ranked[] = [];
  while (rest.length > 0) {
    if (context.deadline()) return null;
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rest.length; i++) {
      const one = rest[i]!;
      // What it has by itself is the most it can get.
      if (one.base <= bestScore) continue;
      const score = scoreAmong(one, beforeOf(one), context);
      if (score > bestScore) [best, bestScore] = [i, score];
    }
    const [chosen] = rest.splice(best, 1);
    const { candidate, type, terms } = chosen!;
    const before = beforeOf(chosen!);
    arranged.push({
      ...candidate,
      score: bestScore,
      terms: [...terms, diversity(chosen!, before, context), mix(before, context)],
    });
    authors.set(candidate.post.author.userId, before.author + 1);
    types.set(type, before.type + 1);
  }
  return arranged;
}

function scoreAmong(one: Scored, before: Before, context: RankingContext): number {
  if (before.author === 0 && before.type === 0) return one.base;
  const taken = [diversity(one, before, context), mix(before, context)];
  return taken.reduce((sum, { weight, value }) => sum + weight * value, one.base);
}

/** The n-th further post of an author counts 0.75 · 0.5ⁿ + 0.25 of what it has by itself: this takes off the rest. */
function diversity({ base }: Scored, before: Before, { weights, curves }: RankingContext): ScoreTerm {
  const { decay, floor } = curves.authorDiversity;
  const kept = (1 - floor) * decay ** before.author + floor;
  return { name: 'diversity', weight: weights.diversity, value: 0 - Math.max(0, base) * (1 - kept) };
}

function mix(before: Before, { weights, curves }: RankingContext): ScoreTerm {
  return {
    name: 'mix',
    weight: weights.mix,
    value: 0 - before.type / (before.type + curves.contentMix.halfAt),
  };
}

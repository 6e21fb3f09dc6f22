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
  const rest = [...scored].sort((a, b) => b.base - a.base || newestFirst(a.place, b.place));
  const authors = new Map<string, number>();
  const types = new Map<ContentType, number>();
  const beforeOf = ({ candidate, type }: Scored): Before => ({
    author: authors.get(candidate.post.author.userId) ?? 0,
    type: types.get(type) ?? 0,
  });
  const { weights } = context;
  const arranged: Ranked[] = [];
  while (rest.length > 0) {
    if (context.deadline()) return null;
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < rest.length; i++) {
      const one = rest[i]!;
      // What it has by itself is the most it can get, and those behind it have less.
      if (one.base < bestScore) break;
      const score = scoreAmong(one, beforeOf(one), context);
      const isEqual = score === bestScore;
      if (isEqual ? newestFirst(one.place, rest[best]!.place) < 0 : score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    const [chosen] = rest.splice(best, 1);
    const { candidate, type, terms } = chosen!;
    const before = beforeOf(chosen!);
    arranged.push({
      post: candidate.post,
      source: candidate.source,
      score: bestScore,
      terms: [
        ...terms,
        { name: 'diversity', weight: weights.diversity, value: diversity(chosen!, before, context) },
        { name: 'mix', weight: weights.mix, value: mix(before, context) },
      ],
    });
    authors.set(candidate.post.author.userId, before.author + 1);
    types.set(type, before.type + 1);
  }
  return arranged;
}

/** In the order of the terms, as whoever adds them up does. */
function scoreAmong(one: Scored, before: Before, context: RankingContext): number {
  const { weights } = context;
  const sum = one.base + weights.diversity * diversity(one, before, context);
  return sum + weights.mix * mix(before, context);
}

/** The n-th further post of an author counts 0.75 · 0.5ⁿ + 0.25 of what it has by itself: this takes off the rest. */
function diversity({ base }: Scored, before: Before, { curves }: RankingContext): number {
  const { decay, floor } = curves.authorDiversity;
  return 0 - Math.max(0, base) * (1 - ((1 - floor) * decay ** before.author + floor));
}

const mix = (before: Before, { curves }: RankingContext): number =>
  0 - before.type / (before.type + curves.contentMix.halfAt);

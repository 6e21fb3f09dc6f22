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
  // Of each type that is there: what the next one of it loses.
  const mixes = new Map<ContentType, number>();
  for (const { type } of rest) mixes.set(type, mix(0, context));
  const types = new Map<ContentType, number>();
  const authorOf = ({ candidate }: Scored): string => candidate.post.author.userId;
  const { weights } = context;
  const losses = lossesByRepeat(context);
  const arranged: Ranked[] = [];
  while (rest.length > 0) {
    if (context.deadline()) return null;
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    const leastLoss = weights.mix * Math.max(...mixes.values());
    for (let i = 0; i < rest.length; i++) {
      const one = rest[i]!;
      // The most it can get; those behind it can get less.
      if (one.base + leastLoss < bestScore) break;
      const loss = diversity(one, losses(authors.get(authorOf(one)) ?? 0));
      // In the order of the terms, as whoever adds them up does.
      const score = one.base + weights.diversity * loss + weights.mix * mixes.get(one.type)!;
      const isEqual = score === bestScore;
      if (isEqual ? newestFirst(one.place, rest[best]!.place) < 0 : score > bestScore) {
        best = i;
        bestScore = score;
      }
    }
    const [chosen] = rest.splice(best, 1);
    const { candidate, type, terms } = chosen!;
    const ofAuthor = authors.get(authorOf(chosen!)) ?? 0;
    const ofType = (types.get(type) ?? 0) + 1;
    arranged.push({
      post: candidate.post,
      source: candidate.source,
      score: bestScore,
      terms: [
        ...terms,
        { name: 'diversity', weight: weights.diversity, value: diversity(chosen!, losses(ofAuthor)) },
        { name: 'mix', weight: weights.mix, value: mixes.get(type)! },
      ],
    });
    authors.set(authorOf(chosen!), ofAuthor + 1);
    types.set(type, ofType);
    mixes.set(type, mix(ofType, context));
  }
  return arranged;
}

/** The n-th further post of an author counts 0.75 · 0.5ⁿ + 0.25 of what it has by itself: the share that it loses. */
function lossesByRepeat({ curves }: RankingContext): (before: number) => number {
  const { decay, floor } = curves.authorDiversity;
  const known: number[] = [];
  return (before) => {
    known[before] ??= 1 - ((1 - floor) * decay ** before + floor);
    return known[before];
  };
}

const diversity = ({ base }: Scored, loss: number): number => 0 - Math.max(0, base) * loss;

const mix = (before: number, { curves }: RankingContext): number =>
  0 - before / (before + curves.contentMix.halfAt);

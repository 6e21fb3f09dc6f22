import type { Post } from '../types.js';
import { count, type Traits, traitsOf } from './content.js';
import type { ContentType, Features } from './predictor.js';
import type { RankingContext, ScoreTerm } from './rank.js';

const HOUR_MS = 3_600_000;

/** Within 0 to 1; what is not a number is 0. */
const unit = (value: number): number => (value >= 0 ? Math.min(1, value) : 0);

/** Milliseconds; a post from the future is new, one without a time is as old as can be. */
export function ageOf(post: Post, now: number): number {
  const age = now - post.createdAt.getTime();
  return Number.isNaN(age) ? 100 * 365 * 24 * HOUR_MS : Math.max(0, age);
}

/** 1 / (1 + age / half-life), with a half-life of 6 hours (news feed document, Ranking). */
export const recencyOf = (age: number, { curves }: Pick<RankingContext, 'curves'>): number =>
  1 / (1 + age / (curves.recency.halfLifeHours * HOUR_MS));

/** The features of a post for scoring: all of them are numbers, whatever came in. */
function featuresOf(post: Post, { type, reactions }: Traits, context: RankingContext): Features {
  const affinity = context.affinityOf(post.author.userId);
  return {
    authorId: post.author.userId,
    type,
    affinity: Math.min(1, Math.max(-1, affinity || 0)),
    age: ageOf(post, context.now),
    reactions,
    comments: count(post.commentCount),
    shares: count(post.shareCount),
  };
}

/** A cheap estimate of the score, which decides for which posts to predict. */
export function guess(post: Post, context: RankingContext): number {
  const { weights } = context;
  const { age, affinity, reactions, comments, shares } = featuresOf(post, traitsOf(post), context);
  const popularity = reactions + comments + shares;
  return (
    weights.recency * recencyOf(age, context) +
    weights.affinity * affinity +
    weights.like * (popularity / (popularity + 100))
  );
}

/** The terms of a post itself, whatever is around it, in the order in which they are added up. */
const OWN_TERMS = [
  'like',
  'comment',
  'share',
  'click',
  'hide',
  'affinity',
  'recency',
  'quality',
  'negative',
  'freshness',
] as const;
/** Those that are subtracted. */
const LOSSES: ReadonlySet<(typeof OWN_TERMS)[number]> = new Set(['hide', 'negative']);

/** Weights and, in the same order, values of a post's own terms. */
export interface OwnTerms {
  readonly weights: readonly number[];
  readonly values: readonly number[];
}

/** The weights of a post's own terms, in their order. */
export const weightsOf = ({ weights }: RankingContext): readonly number[] =>
  OWN_TERMS.map((name) => (LOSSES.has(name) ? -weights[name] : weights[name]));

/** The values of a post's own terms, in their order. */
export function valuesOf(
  post: Post,
  context: RankingContext,
): { readonly type: ContentType; readonly values: readonly number[] } {
  const { curves } = context;
  const traits = traitsOf(post);
  const features = featuresOf(post, traits, context);
  const { age, affinity, type } = features;
  const chance = context.predictor.predict(features);
  const freshness = 1 - age / (curves.freshness.hours * HOUR_MS);
  return {
    type,
    values: [
      unit(chance.like),
      unit(chance.comment),
      unit(chance.share),
      unit(chance.click),
      unit(chance.hide),
      Math.max(0, affinity),
      recencyOf(age, context),
      traits.quality,
      negativeOf(post, features),
      unit(freshness),
    ],
  };
}

/** Added up in the order of the terms, so that adding up the printed terms gives the same number. */
export function sumOf({ weights, values }: OwnTerms): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += weights[i]! * values[i]!;
  return sum;
}

/** The same in the form of the API. */
export const toTerms = ({ weights, values }: OwnTerms): ScoreTerm[] =>
  OWN_TERMS.map((name, i) => ({ name, weight: weights[i]!, value: values[i]! }));

/** Added to the number of reactions, so that a few angry ones weigh little. */
const FEW = 10;

/** The worst of three, 0 to 1: the viewer hides this author, content policy labelled the post, readers react with ANGRY. */
function negativeOf(post: Post, { affinity, reactions }: Features): number {
  const labelled = 1 - 0.5 ** post.labels.length;
  const anger = count(post.reactionCounts.ANGRY) / (reactions + FEW);
  return Math.max(0, -affinity, labelled, anger);
}

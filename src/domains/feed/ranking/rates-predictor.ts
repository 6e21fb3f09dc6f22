import {
  CONTENT_TYPES,
  type ContentType,
  type Features,
  OUTCOMES,
  type Outcome,
  type Predictions,
  type Predictor,
} from './predictor.js';
import type { RankingSettings } from './settings.js';

/** How many readers saw posts, and how many of those did what. */
export type Tally = Readonly<Record<Outcome | 'views', number>>;

/** What was learned: what became of posts that were shown, by type of content and by author (user id). */
export interface LearnedRates {
  readonly types: Readonly<Partial<Record<ContentType, Tally>>>;
  readonly authors: Readonly<Record<string, Tally>>;
}

export const NOTHING_LEARNED: LearnedRates = { types: {}, authors: {} };

/**
 * The default model: how often readers did it so far, moved by how close the viewer is and how much came already.
 *
 * A type's rate starts from the prior and an author's from the type's, as if each had been seen `strength` times; what
 * was learned then outweighs it by and by. To the log-odds of the rate come `byAffinity` · affinity and `byPopularity` ·
 * ln(1 + reactions + comments + shares).
 */
export function createRatesPredictor(
  { priors, strength, byAffinity, byPopularity }: RankingSettings['predictor'],
  learned: LearnedRates,
): Predictor {
  const shrunk = (tally: Tally | undefined, outcome: Outcome, before: number): number =>
    tally ? (strength * before + tally[outcome]) / (strength + tally.views) : before;
  const typeRates = new Map<ContentType, Predictions>(
    CONTENT_TYPES.map((type) => [
      type,
      toPredictions((outcome) => shrunk(learned.types[type], outcome, priors[outcome])),
    ]),
  );
  const authors = new Map(Object.entries(learned.authors));
  return {
    predict(features: Features): Predictions {
      const { authorId, type, affinity, reactions, comments, shares } = features;
      const rates = typeRates.get(type)!;
      const author = authors.get(authorId);
      const popularity = Math.log1p(reactions + comments + shares);
      return toPredictions((outcome) => {
        const logOdds = logit(shrunk(author, outcome, rates[outcome]));
        return sigmoid(logOdds + byAffinity[outcome] * affinity + byPopularity[outcome] * popularity);
      });
    },
  };
}

const toPredictions = (of: (outcome: Outcome) => number): Predictions =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, of(outcome)])) as Predictions;

/** Nothing is certain, however often it was seen. */
const LEAST = 1e-6;

function logit(probability: number): number {
  const possible = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(possible / (1 - possible));
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

import {
  CONTENT_TYPES,
  type ContentType,
  type Features,
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
  const shrunk = (tally: Tally, outcome: Outcome, before: number): number =>
    (strength * before + tally[outcome]) / (strength + tally.views);
  const typeRates = new Map<ContentType, Predictions>(
    CONTENT_TYPES.map((type) => {
      const tally = learned.types[type];
      return [type, tally ? each((outcome) => shrunk(tally, outcome, priors[outcome])) : priors];
    }),
  );
  const typeLogOdds = new Map(
    [...typeRates].map(([type, rates]) => [type, each((outcome) => logit(rates[outcome]))]),
  );
  const authors = new Map(Object.entries(learned.authors));
  return {
    predict({ authorId, type, affinity, reactions, comments, shares }: Features): Predictions {
      const author = authors.get(authorId);
      const rates = typeRates.get(type)!;
      const logOdds = author
        ? each((outcome) => logit(shrunk(author, outcome, rates[outcome])))
        : typeLogOdds.get(type)!;
      const popularity = Math.log1p(reactions + comments + shares);
      return each((outcome) =>
        sigmoid(logOdds[outcome] + byAffinity[outcome] * affinity + byPopularity[outcome] * popularity),
      );
    },
  };
}

/** Written out, since this is done for every candidate of every read. */
const each = (of: (outcome: Outcome) => number): Readonly<Record<Outcome, number>> => ({
  like: of('like'),
  comment: of('comment'),
  share: of('share'),
  click: of('click'),
  hide: of('hide'),
});

/** Nothing is certain, however often it was seen. */
const LEAST = 1e-6;

function logit(probability: number): number {
  const possible = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(possible / (1 - possible));
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

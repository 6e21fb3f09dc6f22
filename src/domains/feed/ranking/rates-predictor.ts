import {
  type ContentType,
  type Features,
  type Outcome,
  type Predictions,
  type Predictor,
} from './predictor.js';
import type { RankingSettings } from './settings.js';

/** How many readers saw posts, and how many of those did what. */
export type Tally = Readonly<Record<Outcome | 'views', number>>;

/** The learned model: what readers did with posts that were shown, by type of content and by author (user id). */
export interface LearnedRates {
  readonly types: Readonly<Partial<Record<ContentType, Tally>>>;
  readonly authors: Readonly<Record<string, Tally>>;
}

export const NOTHING_LEARNED: LearnedRates = { types: {}, authors: {} };

/**
 * The default model: how often readers did it so far, adjusted by the viewer's affinity and the post's popularity.
 *
 * A type's rate starts from the prior and an author's from the type's, as if each had been seen `strength` times; what
 * is learned outweighs that over time. To the log-odds of the rate come `byAffinity` · affinity and `byPopularity` ·
 * ln(1 + reactions + comments + shares).
 */
export function createRatesPredictor(
  { priors, strength, byAffinity, byPopularity }: RankingSettings['predictor'],
  learned: LearnedRates,
): Predictor {
  const shrunk = (tally: Tally, outcome: Outcome, before: number): number =>
    (strength * before + tally[outcome]) / (strength + tally.views);
  const types = perType((type) => {
    const tally = learned.types[type];
    return tally ? each((outcome) => shrunk(tally, outcome, priors[outcome])) : priors;
  });
  const logOddsOfTypes = perType((type) => each((outcome) => logit(types[type][outcome])));
  const logOddsOfAuthors = new Map(
    Object.entries(learned.authors).map(([authorId, tally]) => [
      authorId,
      perType((type) => each((outcome) => logit(shrunk(tally, outcome, types[type][outcome])))),
    ]),
  );
  return {
    predict({ authorId, type, affinity, reactions, comments, shares }: Features): Predictions {
      const logOdds = (logOddsOfAuthors.get(authorId) ?? logOddsOfTypes)[type];
      const popularity = Math.log1p(reactions + comments + shares);
      const chance = (odds: number, perAffinity: number, perPopularity: number): number =>
        sigmoid(odds + perAffinity * affinity + perPopularity * popularity);
      // Each name written out, since this runs for every candidate of every read: looking names up takes most of the time.
      return {
        like: chance(logOdds.like, byAffinity.like, byPopularity.like),
        comment: chance(logOdds.comment, byAffinity.comment, byPopularity.comment),
        share: chance(logOdds.share, byAffinity.share, byPopularity.share),
        click: chance(logOdds.click, byAffinity.click, byPopularity.click),
        hide: chance(logOdds.hide, byAffinity.hide, byPopularity.hide),
      };
    },
  };
}

const perType = <T>(of: (type: ContentType) => T): Readonly<Record<ContentType, T>> => ({
  text: of('text'),
  link: of('link'),
  image: of('image'),
  video: of('video'),
  share: of('share'),
});

const each = (of: (outcome: Outcome) => number): Readonly<Record<Outcome, number>> => ({
  like: of('like'),
  comment: of('comment'),
  share: of('share'),
  click: of('click'),
  hide: of('hide'),
});

/** No rate is 0 or 1, however often it was seen. */
const LEAST = 1e-6;

function logit(probability: number): number {
  const possible = Math.min(1 - LEAST, Math.max(LEAST, probability));
  return Math.log(possible / (1 - possible));
}

const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

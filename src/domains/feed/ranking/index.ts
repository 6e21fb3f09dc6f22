import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import type { Result } from '../../../platform/errors.js';
import { createLoadingCache } from '../../../platform/loading-cache.js';
import type { Logger } from '../../../platform/logger.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { createAffinities } from './affinities.js';
import { createForgetSignals, forgetAffinities, type Interaction, noteInteractions } from './interactions.js';
import { findLearnedRates, learnRates } from './learn.js';
import type { Predictor } from './predictor.js';
import { type Candidate, type Ranked, type RankingContext, rank } from './rank.js';
import { createRatesPredictor, NOTHING_LEARNED } from './rates-predictor.js';
import type { RankingSettings } from './settings.js';
import { recordSignals, type SignalInput } from './signals.js';

export { type Interaction, SIGNAL_KINDS, type SignalKind } from './interactions.js';
export type { Predictor } from './predictor.js';
export type { Candidate, FeedSource, Ranked, RankingContext, ScoreTerm } from './rank.js';
export { loadRankingSettings, type RankingSettings } from './settings.js';
export type { SignalInput } from './signals.js';

/** Orders feeds, and learns from what readers do. */
export interface Ranking {
  /**
   * The context for ranking a viewer's feed at an instant (milliseconds since the epoch). It never fails: where neither
   * Redis nor Postgres answers in time, all affinities are 0 and nothing was learned. One round trip to Redis at most,
   * except for what is read again every five minutes.
   */
  of(viewerId: string, now: number): Promise<RankingContext>;
  /** As `rank`, within the budget of 30 ms; counts when it was not enough. */
  rank(
    candidates: readonly Candidate[],
    context: RankingContext,
  ): { readonly ranked: readonly Ranked[]; readonly fellBack: boolean };
  /** See `recordSignals`. */
  recordSignals(viewerId: string, signals: readonly SignalInput[]): Promise<Result<number>>;
  /** Writes the interactions of events, in the projector's transaction. */
  noteInteractions(tx: Queryable, interactions: readonly Interaction[]): Promise<number>;
  /** See `learnRates`. */
  learn(): Promise<number>;
  /** Deletes signals that are too old to learn from. */
  forgetSignals(): Promise<void>;
  /** See `forgetAffinities`. */
  forgetAffinities(): Promise<number>;
}

/** A read waits no longer than this for affinities and the model. */
const TIMEOUT_MS = 100;
/** A process uses a new model within this time. */
const MODEL_LIFE_MS = 60_000;

/**
 * @param deps.predictor instead of the default one, which learns
 * @param deps.monotonic milliseconds that never go back; the process's own unless given
 * @param deps.timeoutMs how long a read waits for affinities and the model
 */
export function createRanking(deps: {
  readonly postgres: Queryable;
  readonly redis: Redis;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly settings: RankingSettings;
  readonly predictor?: Predictor;
  readonly monotonic?: () => number;
  readonly timeoutMs?: number;
}): Ranking {
  const { postgres, clock, settings, metrics } = deps;
  const { monotonic = () => performance.now(), timeoutMs = TIMEOUT_MS } = deps;
  const parts = { ...deps, affinity: settings.affinity };
  const affinities = createAffinities(parts);
  const untaught = createRatesPredictor(settings.predictor, NOTHING_LEARNED);
  const models = createLoadingCache<Predictor>({
    maxSize: 1,
    lifetimeOf: () => MODEL_LIFE_MS,
    servesStale: true,
  });
  const findModel = async () => createRatesPredictor(settings.predictor, await findLearnedRates(deps));
  const newestModel = (): Predictor | Promise<Predictor> => deps.predictor ?? models.get('newest', findModel);

  const fallbacks = new Counter({
    name: 'feed_ranking_fallbacks_total',
    help: 'Rankings that took too long: the feed was in time order',
    registers: [metrics],
  });
  const unavailable = new Counter({
    name: 'feed_ranking_unavailable_total',
    help: 'Rankings without affinities or without the learned model: neither Redis nor Postgres answered in time',
    labelNames: ['what'],
    registers: [metrics],
  });
  async function or<T>(instead: T, what: string, work: T | Promise<T>): Promise<T> {
    try {
      return work instanceof Promise ? await withinMs(timeoutMs, work) : work;
    } catch (error) {
      unavailable.inc({ what });
      deps.logger.debug({ err: error, what }, 'ranking continues without it');
      return instead;
    }
  }

  return {
    async of(viewerId, now) {
      const [affinityOf, predictor] = await Promise.all([
        or(() => 0, 'affinities', affinities.of(viewerId)),
        or(untaught, 'model', newestModel()),
      ]);
      return { now, affinityOf, predictor, weights: settings.weights, curves: settings, deadline: budget() };
    },
    rank(candidates, context) {
      const outcome = rank(candidates, { ...context, deadline: budget() });
      if (outcome.fellBack) fallbacks.inc();
      return outcome;
    },
    recordSignals: (viewerId, signals) => recordSignals(parts, viewerId, signals),
    noteInteractions: (tx, interactions) =>
      noteInteractions({ ...parts, postgres: tx }, interactions, { visibleOnly: false }),
    learn: () => learnRates({ postgres }, clock.now()),
    forgetSignals: createForgetSignals({ postgres, clock }),
    forgetAffinities: () => forgetAffinities(parts, clock.now()),
  };

  /** Whether the budget is used up; it begins with the first call. */
  function budget(): () => boolean {
    let over: number | undefined;
    return () => {
      const at = monotonic();
      over ??= at + settings.stages.budgetMs;
      return at > over;
    };
  }
}

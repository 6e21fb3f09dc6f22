import { Counter, type Registry } from 'prom-client';
import { bind } from '../../../platform/bind.js';
import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Redis } from '../../../platform/redis/redis.js';
import { createAffinities } from './affinities.js';
import { createForgetSignals, forgetAffinities, type Interaction, noteInteractions } from './interactions.js';
import { findLearnedRates, learnRates } from './learn.js';
import type { Predictor } from './predictor.js';
import { type Candidate, type RankingContext, rank } from './rank.js';
import { createRatesPredictor, NOTHING_LEARNED } from './rates-predictor.js';
import type { RankingSettings } from './settings.js';
import { recordSignals } from './signals.js';

export { type Interaction, SIGNAL_KINDS, type SignalKind } from './interactions.js';
export { loadRankingSettings } from './settings.js';

export type Ranking = ReturnType<typeof createRanking>;

/** A read waits no longer than this for affinities and the model. */
const TIMEOUT_MS = 100;
/** A process uses a new model within this time. */
const MODEL_LIFE_MS = 60_000;

/**
 * Orders feeds, and learns from what readers do.
 *
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
}) {
  const { settings, metrics } = deps;
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
    /**
     * The context for ranking a viewer's feed at an instant (milliseconds since the epoch). It never fails: where neither
     * Redis nor Postgres answers in time, all affinities are 0 and nothing was learned. One round trip to Redis at most,
     * except for what is read again every five minutes.
     */
    async of(viewerId: string, now: number): Promise<RankingContext> {
      const [affinityOf, predictor] = await Promise.all([
        or(() => 0, 'affinities', affinities.of(viewerId)),
        or(untaught, 'model', newestModel()),
      ]);
      return { now, affinityOf, predictor, weights: settings.weights, curves: settings, deadline: budget() };
    },
    /** As `rank`, within the budget of 30 ms; counts when it was not enough. */
    rank(candidates: readonly Candidate[], context: RankingContext): ReturnType<typeof rank> {
      const outcome = rank(candidates, { ...context, deadline: budget() });
      if (outcome.fellBack) fallbacks.inc();
      return outcome;
    },
    ...bind(parts, { recordSignals, learn: learnRates, forgetAffinities }),
    /** Writes the interactions of events, in the projector's transaction. */
    noteInteractions: (tx: Queryable, interactions: readonly Interaction[]): Promise<number> =>
      noteInteractions({ ...parts, postgres: tx }, interactions, { visibleOnly: false }),
    forgetSignals: createForgetSignals(deps),
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

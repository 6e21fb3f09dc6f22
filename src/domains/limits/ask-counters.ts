import type { Clock } from '../../platform/clock.js';
import { type Charged, type CounterStore, type CounterUse, StoreUnreachable } from './counters/store.js';
import { decideCharged, decideUnreachable, NOTHING_LIMITED } from './decide.js';
import type { DenyCache } from './deny-cache.js';
import type { FailOpenEvents } from './fail-open-events.js';
import { type Attempt, makesWait } from './in-turn.js';
import type { LimiterMetrics } from './limiter-metrics.js';
import { standIns } from './owners.js';
import type { Decision, LimitRequest, Use } from './types.js';

/**
 * Charges counters, once, and says what their answer means for the request. Never rejects: where they cannot be asked,
 * each rule's `fail` decides.
 *
 * @param uses with the unlimited ones
 * @param counters those of them that count; where there are none, it is only seen whether anybody could count
 */
type Ask = (request: LimitRequest, uses: readonly Use[], counters: readonly CounterUse[]) => Promise<Attempt>;

export function createAsk(deps: {
  store: CounterStore;
  denials: DenyCache;
  metrics: LimiterMetrics;
  failOpen: FailOpenEvents;
  monotonic: () => number;
  clock: Clock;
  tellUnexpected: (error: unknown) => void;
}): Ask {
  const { store, denials, metrics, failOpen, monotonic, clock, tellUnexpected } = deps;

  function answered(
    { caller }: LimitRequest,
    counters: readonly CounterUse[],
    charged: Charged,
    askedAt: number,
  ): Attempt {
    const decision = decideCharged(counters, charged);
    if (!charged.admitted) {
      const use = counters[charged.violated]!;
      const refused = charged.readings[charged.violated]!;
      // Whoever waits is told of once, when the wait is over.
      if (makesWait(use)) return { decision, throttled: { use, refused } };
      denials.remember(caller, use, refused, askedAt);
    }
    tellShadows(counters, charged);
    return { decision, throttled: null };
  }

  function tellShadows(counters: readonly CounterUse[], { readings }: Charged): void {
    for (let i = 0; i < readings.length; i += 1) {
      const { tier } = counters[i]!;
      if (tier.shadow && readings[i]!.retryAfterMs > 0) metrics.shadowRefused(tier);
    }
  }

  function unreachable({ part }: LimitRequest, uses: readonly Use[], error: unknown): Decision {
    tellUnexpected(error);
    const decision = decideUnreachable(uses, clock.now());
    if (isToldOf(part, decision) && decision.outcome !== 'REJECT') failOpen.count(error);
    // What some owners' counters were charged before others could not be asked stays only if the request goes on.
    const charged = error instanceof StoreUnreachable ? error.charged : [];
    if (charged.length === 0) return decision;
    if (decision.outcome !== 'REJECT') return { ...decision, receipt: charged };
    store.refund(charged);
    return decision;
  }

  return async function ask(
    request: LimitRequest,
    uses: readonly Use[],
    counters: readonly CounterUse[],
  ): Promise<Attempt> {
    const askedAt = monotonic();
    try {
      if (counters.length > 0) return answered(request, counters, await store.charge(counters), askedAt);
      await store.peek(standIns(request.caller, uses));
      return { decision: NOTHING_LIMITED, throttled: null };
    } catch (error) {
      return { decision: unreachable(request, uses, error), throttled: null };
    } finally {
      metrics.checked(monotonic() - askedAt);
    }
  };
}

/** An operation that may go on was counted when it arrived. */
export const isToldOf = (part: LimitRequest['part'], { outcome }: Decision): boolean =>
  part !== 'operation' || outcome === 'REJECT' || outcome === 'CANCELLED';

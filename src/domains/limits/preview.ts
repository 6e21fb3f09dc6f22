import type { Clock } from '../../platform/clock.js';
import {
  NOTHING_LIMITED,
  type RateLimitDecision,
  type RateLimitRequest,
  type Tier,
} from '../../platform/gate.js';
import type { CounterStore } from './counters/store.js';
import { decidePeeked, decideUnreachable } from './decide.js';
import type { LimiterMetrics } from './limiter-metrics.js';
import { counterUses, standIns } from './owners.js';
import type { Rules } from './rules/rules.js';
import type { Use } from './types.js';

export interface Preview extends RateLimitDecision {
  /** The paths of unlimited rules that fail closed: they count nothing, and refuse while the counters cannot be reached. */
  readonly guards: readonly string[];
}

/** Makes what reads every tier that holds for a request, and charges nothing. */
export function createPreview(deps: {
  rules: () => Rules;
  store: Pick<CounterStore, 'peek'>;
  metrics: Pick<LimiterMetrics, 'checked'>;
  monotonic: () => number;
  clock: Clock;
  reportUnexpected: (error: unknown) => void;
}): (request: RateLimitRequest) => Promise<Preview> {
  const { rules, store, metrics, monotonic, clock, reportUnexpected } = deps;
  return async (request) => {
    const uses = rules().match(request);
    const guards = uses.filter(failsClosedUnlimited).map(({ tier }) => tier.rule);
    if (uses.every(needsNoStore)) return { ...NOTHING_LIMITED, guards };
    const counters = counterUses(request.caller, uses);
    const askedAt = monotonic();
    try {
      if (counters.length > 0) return { ...decidePeeked(counters, await store.peek(counters)), guards };
      await store.peek(standIns(request.caller, uses));
      return { ...NOTHING_LIMITED, guards };
    } catch (error) {
      reportUnexpected(error);
      return { ...decideUnreachable(uses, clock.now()), guards };
    } finally {
      metrics.checked(monotonic() - askedAt);
    }
  };
}

const isUnlimited = ({ limit }: Tier): boolean => limit === Number.POSITIVE_INFINITY;

/** An unlimited rule that fails closed counts nothing, and yet admits only while the counters can be reached. */
const failsClosedUnlimited = ({ tier }: Use): boolean =>
  isUnlimited(tier) && tier.fail === 'closed' && !tier.shadow;

/** Whether a use is decided without asking the counters. */
export const needsNoStore = (use: Use): boolean => isUnlimited(use.tier) && !failsClosedUnlimited(use);

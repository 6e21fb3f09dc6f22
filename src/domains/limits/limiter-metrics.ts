import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { RateLimitCaller, RateLimitDecision, Tier } from '../../platform/gate.js';
import { endpointLabelOf } from './rule-path.js';
import type { Rules } from './rules/rules.js';
import { createTierCounts } from './tier-counts.js';
import type { Use } from './types.js';
import { createUtilisation } from './utilisation.js';
import { createWithdrawnNames, type WithdrawnNames } from './withdrawn-names.js';

const RESULTS = ['allowed', 'rejected', 'cancelled', 'error'] as const;
type Result = (typeof RESULTS)[number];

/** The limiter's metrics. */
export interface LimiterMetrics {
  /**
   * A decision was made. Cheap enough for a million of them a second.
   *
   * @param uses what held for the request: names its endpoint
   */
  decided(caller: RateLimitCaller, uses: readonly Use[], decision: RateLimitDecision): void;
  /** The counters were asked, or could not be. */
  checked(ms: number): void;
  /** A shadow tier would have refused a request. */
  shadowRefused(tier: Tier): void;
  /** A request joined a queue. */
  throttled(tier: Tier): void;
}

/**
 * Registers the limiter's metrics.
 *
 * @param waiting how many requests wait in queues now
 * @param monotonic milliseconds
 */
export function createLimiterMetrics(deps: {
  registry: Registry;
  rules: () => Rules;
  waiting: () => number;
  monotonic: () => number;
}): LimiterMetrics {
  const registers = [deps.registry];
  const withdrawn = createWithdrawnNames(deps.rules);
  const requests = createRequestCounts(deps.registry, withdrawn);
  const utilisation = createUtilisation(deps.registry, deps.monotonic);
  const durations = new Histogram({
    name: 'rate_limiter_check_duration_seconds',
    help: 'Time until the counters answered or timed out; decisions from memory and waits in queues are left out',
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1],
    registers,
  });
  const shadow = createTierCounts(deps.registry, withdrawn, {
    name: 'rate_limiter_shadow_rejections_total',
    help: 'Requests that a shadow tier would have refused',
  });
  const throttled = createTierCounts(deps.registry, withdrawn, {
    name: 'rate_limiter_throttled_total',
    help: 'Times that a request queued for a throttling tier',
  });
  new Gauge({
    name: 'rate_limiter_throttle_queue',
    help: 'Requests of this process that wait in queues of throttling tiers',
    registers,
    collect() {
      this.set(deps.waiting());
    },
  });

  return {
    decided(caller, uses, decision) {
      const tier = decision.decisive?.tier.rule ?? 'none';
      requests.count(resultOf(decision), tier, endpointAmong(uses) ?? 'other');
      // A refusal from the denial cache has no new readings.
      if (decision.decidedBy === 'store') utilisation.see(planLabel(caller, deps.rules()), decision);
    },
    checked: (ms) => durations.observe(ms / 1_000),
    shadowRefused: (tier) => shadow.count(tier.rule),
    throttled: (tier) => throttled.count(tier.rule),
  };
}

function resultOf(decision: RateLimitDecision): Result {
  if (decision.decidedBy === 'unreachable') return 'error';
  if (decision.outcome === 'CANCELLED') return 'cancelled';
  return decision.outcome === 'REJECT' ? 'rejected' : 'allowed';
}

function endpointAmong(uses: readonly Use[]): string | null {
  for (const { tier } of uses) if (tier.level === 'endpoint') return endpointLabelOf(tier);
  return null;
}

function planLabel(caller: RateLimitCaller, rules: Rules): string {
  if (caller.userId === null) return 'anonymous';
  return caller.plan !== null && rules.plans.has(caller.plan) ? caller.plan : 'other';
}

/**
 * Plain numbers, given to the registry only when it asks: its own counters build a text for each step. What names a
 * withdrawn rule or endpoint is shown once more, and then no longer.
 */
function createRequestCounts(registry: Registry, withdrawn: WithdrawnNames) {
  const tallies = new Map<string, Map<string, Record<Result, number>>>();
  new Counter({
    name: 'rate_limiter_requests_total',
    help: 'Decisions by result, by the tier that decided, and by the endpoint as rules name it',
    labelNames: ['result', 'tier', 'endpoint'],
    registers: [registry],
    collect() {
      for (const [tier, byEndpoint] of tallies) {
        for (const [endpoint, tally] of byEndpoint) {
          const isWithdrawn = withdrawn.rules().has(tier) || withdrawn.endpoints().has(endpoint);
          if (isWithdrawn && RESULTS.every((result) => tally[result] === 0)) {
            byEndpoint.delete(endpoint);
            for (const result of RESULTS) this.remove({ result, tier, endpoint });
            continue;
          }
          for (const result of RESULTS) {
            // All of them from the first on: a rate needs a point before the first refusal.
            this.inc({ result, tier, endpoint }, tally[result]);
            tally[result] = 0;
          }
        }
        if (byEndpoint.size === 0) tallies.delete(tier);
      }
    },
  });
  function tallyOf(tier: string, endpoint: string): Record<Result, number> {
    const known = tallies.get(tier)?.get(endpoint);
    if (known) return known;
    const tally = { allowed: 0, rejected: 0, cancelled: 0, error: 0 };
    tallies.set(tier, (tallies.get(tier) ?? new Map<string, Record<Result, number>>()).set(endpoint, tally));
    return tally;
  }

  return {
    count(result: Result, tier: string, endpoint: string): void {
      withdrawn.look();
      tallyOf(tier, endpoint)[result] += 1;
    },
  };
}

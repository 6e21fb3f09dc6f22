import { Gauge, Histogram, type Registry } from 'prom-client';
import type { RateLimitCaller, RateLimitDecision } from '../../platform/gate.js';
import type { Rules, Use } from './rules/rules.js';
import { createRequestCounts, createTierCounts, endpointLabelOf, type Result } from './tallies.js';
import { createUtilisation } from './utilisation.js';

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
}) {
  const registers = [deps.registry];
  const countRequest = createRequestCounts(deps, {
    name: 'rate_limiter_requests_total',
    help: 'Decisions by result, by the tier that decided, and by the endpoint as rules name it',
  });
  const seeUtilisation = createUtilisation(deps.registry, deps.monotonic);
  const durations = new Histogram({
    name: 'rate_limiter_check_duration_seconds',
    help: 'Time until the counters answered or timed out; decisions from memory and waits in queues are left out',
    buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.002, 0.003, 0.004, 0.005, 0.0075, 0.01, 0.025, 0.05, 0.1],
    registers,
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
    /**
     * A decision was made. Cheap enough for a million of them a second.
     *
     * @param uses what held for the request: names its endpoint
     */
    decided(caller: RateLimitCaller, uses: readonly Use[], decision: RateLimitDecision): void {
      countRequest(resultOf(decision), decision.decisive?.tier.rule, endpointAmong(uses));
      // A refusal from the denial cache has no new readings.
      if (decision.decidedBy === 'store') seeUtilisation(planLabel(caller, deps.rules()), decision);
    },
    /** The counters were asked, or could not be. */
    checked: (ms: number) => durations.observe(ms / 1_000),
    /** A shadow tier would have refused a request. */
    shadowRefused: createTierCounts(deps, {
      name: 'rate_limiter_shadow_rejections_total',
      help: 'Requests that a shadow tier would have refused',
    }),
    /** A request joined a queue. */
    throttled: createTierCounts(deps, {
      name: 'rate_limiter_throttled_total',
      help: 'Times that a request queued for a throttling tier',
    }),
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

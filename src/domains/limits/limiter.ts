import type { Registry } from 'prom-client';
import { type Clock, systemClock } from '../../platform/clock.js';
import {
  type Gate,
  NOTHING_LIMITED,
  type RateLimitDecision,
  type RateLimitRequest,
} from '../../platform/gate.js';
import { type Charged, type CounterStore, type CounterUse, StoreUnreachable } from './counters/store.js';
import {
  decideCharged,
  decideImpossible,
  decidePeeked,
  decideUnreachable,
  impossibleAmong,
} from './decide.js';
import { type Attempt, decideInTurn, makesWait } from './decide-in-turn.js';
import { createDecisionRefunds } from './decision-refunds.js';
import { createDenialCache, isSignInAlone } from './denial-cache.js';
import { createFailOpenEvents, type FailOpenEvents } from './fail-open-events.js';
import { createLimiterMetrics } from './limiter-metrics.js';
import type { NearLimits } from './near-limits.js';
import { counterUses, ownerOf, standIns } from './owners.js';
import { createPreview, needsNoStore, type Preview } from './preview.js';
import type { Rules } from './rules/rules.js';
import { createThrottle } from './throttle.js';
import type { Use } from './types.js';

/** The gate of the edge, by rules and counters. */
export interface Limiter extends Gate {
  /** As `decide` would now, with every tier read and nothing charged. */
  preview(request: RateLimitRequest): Promise<Preview>;
}

/** What holds for a request, and what is decided of it without asking the counters. */
interface Look {
  readonly uses: readonly Use[];
  readonly known: RateLimitDecision | undefined;
}

/** @param rules the rules of this moment: asked anew for each decision */
export function createLimiter(deps: {
  rules: () => Rules;
  store: CounterStore;
  metrics: Registry;
  /** Gets every decision. */
  nearLimits?: Pick<NearLimits, 'note'>;
  /** Where others count fail-open events too; one of the limiter's own where absent. */
  failOpen?: FailOpenEvents;
  /** Milliseconds, monotonic. */
  monotonic?: () => number;
  /** For resets that no counter knows. */
  clock?: Clock;
  /** Gets what a store threw other than that it cannot be reached. */
  onError?: (error: unknown) => void;
}): Limiter {
  const { rules, store, nearLimits, monotonic = () => performance.now(), clock = systemClock } = deps;
  const denials = createDenialCache(monotonic, clock);
  const throttle = createThrottle(monotonic);
  const metrics = createLimiterMetrics({
    registry: deps.metrics,
    rules,
    waiting: throttle.waiting,
    monotonic,
  });
  const failOpen = deps.failOpen ?? createFailOpenEvents(deps.metrics);
  const { refund, settle } = createDecisionRefunds(store);
  const queues = { throttle, monotonic, onWait: metrics.throttled, refund };
  const preview = createPreview({ rules, store, metrics, monotonic, clock, reportUnexpected });

  function reportUnexpected(error: unknown): void {
    if (!(error instanceof StoreUnreachable)) deps.onError?.(error);
  }

  function look(request: RateLimitRequest): Look {
    const current = rules();
    const denied = denials.findRequest(current, request);
    const again = denied && denials.refusal(denied.denial);
    if (again) return { uses: denied.uses, known: again };
    const uses = current.match(request);
    return { uses, known: decideKnown(request, uses, current) };
  }

  function decideKnown(
    request: RateLimitRequest,
    uses: readonly Use[],
    current: Rules,
  ): RateLimitDecision | undefined {
    if (uses.every(needsNoStore)) return NOTHING_LIMITED;
    if (impossibleAmong(uses)) return undefined;
    const denial = denials.find(request.caller, uses);
    if (!denial) return undefined;
    denials.addRequest({ rules: current, request, uses, denial });
    return denials.refusal(denial);
  }

  function reported(
    { caller, part }: RateLimitRequest,
    uses: readonly Use[],
    decision: RateLimitDecision,
  ): RateLimitDecision {
    if (isReported(part, decision)) metrics.decided(caller, uses, decision);
    if (decision.decidedBy !== 'none') nearLimits?.note(caller, decision);
    return decision;
  }

  async function decideOf(
    request: RateLimitRequest,
    { uses, known }: Look,
    leaving: (() => AbortSignal) | undefined,
  ): Promise<RateLimitDecision> {
    if (known) return known;
    const counters = counterUses(request.caller, uses);
    const impossible = impossibleAmong(uses);
    if (impossible) return refuseImpossible(impossible, counters);
    const attempt = () => charge(request, uses, counters);
    if (!counters.some(makesWait)) return (await attempt()).decision;
    return decideInTurn(queues, counters, { owner: ownerOf(request.caller), leaving }, attempt);
  }

  /** Charges nothing: the counters are read, so that the refusal says what is left for less. */
  async function refuseImpossible(use: Use, counters: readonly CounterUse[]): Promise<RateLimitDecision> {
    const askedAt = monotonic();
    try {
      return decidePeeked(counters, await store.peek(counters));
    } catch (error) {
      reportUnexpected(error);
      return decideImpossible(use, clock.now());
    } finally {
      metrics.checked(monotonic() - askedAt);
    }
  }

  /**
   * Charges the counters once. Never rejects: where they cannot be asked, each rule's `fail` decides.
   *
   * @param uses with the unlimited ones
   * @param counters those of them that count; where there are none, it is only checked that the counters can be reached
   */
  async function charge(
    request: RateLimitRequest,
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
  }

  function answered(
    { caller }: RateLimitRequest,
    counters: readonly CounterUse[],
    charged: Charged,
    askedAt: number,
  ): Attempt {
    const decision = decideCharged(counters, charged);
    if (!charged.admitted) {
      const use = counters[charged.violated]!;
      const refused = charged.readings[charged.violated]!;
      // A request that waits is reported once, when the wait is over.
      if (makesWait(use)) return { decision, throttled: { use, refused } };
      denials.add(caller, use, refused, askedAt);
    }
    reportShadows(counters, charged);
    return { decision, throttled: null };
  }

  function reportShadows(counters: readonly CounterUse[], { readings }: Charged): void {
    for (let i = 0; i < readings.length; i += 1) {
      const { tier } = counters[i]!;
      if (tier.shadow && readings[i]!.retryAfterMs > 0) metrics.shadowRefused(tier);
    }
  }

  function unreachable({ part }: RateLimitRequest, uses: readonly Use[], error: unknown): RateLimitDecision {
    reportUnexpected(error);
    const decision = decideUnreachable(uses, clock.now());
    if (isReported(part, decision) && decision.outcome !== 'REJECT') failOpen.count(error);
    // Charges to some owners' counters, made before others could not be reached, stay only if the request goes on.
    const charged = error instanceof StoreUnreachable ? error.charged : [];
    if (charged.length === 0) return decision;
    if (decision.outcome !== 'REJECT') return { ...decision, receipt: charged };
    store.refund(charged);
    return decision;
  }

  return {
    decideLocally(request) {
      const { uses, known } = look(request);
      if (known?.outcome === 'REJECT') {
        // A sign-in alone is checked before its credentials are looked up: its refusal cost nothing.
        if (!isSignInAlone(request)) denials.addCostlySignIn(request);
        return reported(request, uses, known);
      }
      const refusal = denials.refusalOfCostly(request);
      return refusal ? reported(request, uses, refusal) : known;
    },

    async decide(request, leaving) {
      const found = look(request);
      const decision = await decideOf(request, found, leaving);
      if (decision.outcome === 'REJECT') {
        denials.addCostlySignIn(request);
        // Where the counters cannot be reached, a rule of the operation refused it: the caller's other operations may go on.
        if (request.queryCost !== null && decision.decidedBy !== 'unreachable')
          denials.addCostlyOperation(request);
      }
      return reported(request, found.uses, decision);
    },

    preview,
    refund,
    settle,
  };
}

/** An operation that may go on was counted with its request. */
const isReported = (part: RateLimitRequest['part'], { outcome }: RateLimitDecision): boolean =>
  part !== 'operation' || outcome === 'REJECT' || outcome === 'CANCELLED';

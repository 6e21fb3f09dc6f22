import type { Registry } from 'prom-client';
import { type Clock, systemClock } from '../../platform/clock.js';
import {
  type Gate,
  NOTHING_LIMITED,
  type RateLimitCaller,
  type RateLimitDecision,
  type RateLimitRequest,
  type Tier,
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
import { createFailOpenEvents } from './fail-open-events.js';
import { createLimiterMetrics } from './limiter-metrics.js';
import type { NearLimits } from './near-limits.js';
import { counterUses, ownerOf, standIns } from './owners.js';
import type { Rules, Use } from './rules/rules.js';
import { createThrottle } from './throttle.js';

export interface Preview extends RateLimitDecision {
  /** The paths of unlimited rules that fail closed: they count nothing, and refuse while the counters cannot be reached. */
  readonly guards: readonly string[];
}

/** The gate of the edge, by rules and counters. */
export interface Limiter extends Gate {
  /**
   * As `decide` would now, with every tier read and nothing charged.
   *
   * @param under rules to decide by instead of those in force
   */
  preview(request: RateLimitRequest, under?: Rules): Promise<Preview>;
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
  const failOpen = createFailOpenEvents(deps.metrics);
  const { refund, settle } = createDecisionRefunds(store);
  const queues = { throttle, monotonic, onWait: metrics.throttled, refund };

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
    request: RateLimitRequest,
    uses: readonly Use[],
    decision: RateLimitDecision,
  ): RateLimitDecision {
    if (isReported(request, decision)) metrics.decided(request.caller, uses, decision);
    if (decision.decidedBy !== 'none') nearLimits?.note(request.caller, decision);
    return decision;
  }

  async function decideOf(
    request: RateLimitRequest,
    { uses, known }: Look,
    leaving: (() => AbortSignal) | undefined,
  ): Promise<RateLimitDecision> {
    if (known) return known;
    const { caller } = request;
    const counters = counterUses(caller, uses);
    const impossible = impossibleAmong(uses);
    // Charges nothing: the counters are read, so that the refusal says what is left for less.
    if (impossible) return peek(caller, uses, counters, () => decideImpossible(impossible, clock.now()));
    if (counters.length === 0)
      return peek(caller, uses, counters, (error) => unreachable(request, uses, error));
    const attempt = () => charge(request, uses, counters);
    if (!counters.some(makesWait)) return (await attempt()).decision;
    return decideInTurn(queues, counters, { owner: ownerOf(caller), leaving }, attempt);
  }

  /**
   * Reads the counters; where there are none, it is only checked that they can be reached.
   *
   * @param uses with the unlimited ones
   * @param away decides where they cannot be reached
   */
  async function peek(
    caller: RateLimitCaller,
    uses: readonly Use[],
    counters: readonly CounterUse[],
    away: (error: unknown) => RateLimitDecision,
  ): Promise<RateLimitDecision> {
    const askedAt = monotonic();
    try {
      if (counters.length > 0) return decidePeeked(counters, await store.peek(counters));
      await store.peek(standIns(caller, uses));
      return NOTHING_LIMITED;
    } catch (error) {
      reportUnexpected(error);
      return away(error);
    } finally {
      metrics.checked(monotonic() - askedAt);
    }
  }

  /** Charges the counters once. Never rejects: where they cannot be asked, each rule's `fail` decides. */
  async function charge(
    request: RateLimitRequest,
    uses: readonly Use[],
    counters: readonly CounterUse[],
  ): Promise<Attempt> {
    const askedAt = monotonic();
    try {
      return answered(request, counters, await store.charge(counters), askedAt);
    } catch (error) {
      reportUnexpected(error);
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

  function unreachable(request: RateLimitRequest, uses: readonly Use[], error: unknown): RateLimitDecision {
    const decision = decideUnreachable(uses, clock.now());
    if (isReported(request, decision) && decision.outcome !== 'REJECT') failOpen.count(error);
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

    async preview(request, under = rules()) {
      const uses = under.match(request);
      const guards = uses.filter(failsClosedUnlimited).map(({ tier }) => tier.rule);
      if (uses.every(needsNoStore)) return { ...NOTHING_LIMITED, guards };
      const { caller } = request;
      const away = () => decideUnreachable(uses, clock.now());
      return { ...(await peek(caller, uses, counterUses(caller, uses), away)), guards };
    },

    refund,
    settle,
  };
}

const isUnlimited = ({ limit }: Tier): boolean => limit === Number.POSITIVE_INFINITY;

/** An unlimited rule that fails closed counts nothing, and yet admits only while the counters can be reached. */
const failsClosedUnlimited = ({ tier }: Use): boolean =>
  isUnlimited(tier) && tier.fail === 'closed' && !tier.shadow;

/** Whether a use is decided without asking the counters. */
const needsNoStore = (use: Use): boolean => isUnlimited(use.tier) && !failsClosedUnlimited(use);

/** An operation that may go on was counted with its request. */
const isReported = ({ part, isAgain }: RateLimitRequest, { outcome }: RateLimitDecision): boolean =>
  (part !== 'operation' && !isAgain) || outcome === 'REJECT' || outcome === 'CANCELLED';

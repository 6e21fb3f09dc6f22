import type { Registry } from 'prom-client';
import { type Clock, systemClock } from '../../platform/clock.js';
import { createAsk, isToldOf } from './ask-counters.js';
import { type CounterStore, type CounterUse, StoreUnreachable } from './counters/store.js';
import {
  decideImpossible,
  decidePeeked,
  decideUnreachable,
  impossibleAmong,
  NOTHING_LIMITED,
} from './decide.js';
import { createDenyCache } from './deny-cache.js';
import { createFailOpenEvents, type FailOpenEvents } from './fail-open-events.js';
import { decideInTurn, makesWait } from './in-turn.js';
import { createLimiterMetrics } from './limiter-metrics.js';
import type { NearLimits } from './near-limits.js';
import { counterUses, ownerOf, standIns } from './owners.js';
import { createRepeats } from './repeats.js';
import type { Rules } from './rules/rules.js';
import { createTakeBack } from './take-back.js';
import { createThrottle } from './throttle.js';
import type { Decision, LimitRequest, Tier, Use } from './types.js';

/** Decides whether requests may go on. */
export interface Limiter {
  /**
   * What this process knows without asking: a refusal while an offender is remembered, a decision where no limited
   * tier applies; else undefined. Charges nothing.
   */
  foresee(request: LimitRequest): Decision | undefined;
  /**
   * Decides and charges, all or nothing. Never rejects: an unreachable store is decided by each rule's `fail`. Where
   * the violated rule says `throttle`, waits for its turn, bounded in time and number; who leaves meanwhile is CANCELLED.
   *
   * @param waiter aborts when whoever waits has left, which gives up the place; asked only where somebody waits
   */
  decide(request: LimitRequest, waiter?: () => AbortSignal): Promise<Decision>;
  /** As `decide` would now, with every tier read and nothing charged. */
  preview(request: LimitRequest): Promise<Preview>;
  /** Tells of a refusal that somebody repeats without asking: metrics count it, and nothing is decided or charged. */
  refusedAlike(request: LimitRequest, decision: Decision): void;
  /** Takes back what a decision charged: the request was refused elsewhere. */
  refund(decision: Decision): void;
  /** Takes back what the operation did not use of its reserved query cost. */
  settle(decision: Decision, actualCost: number): void;
}

export interface Preview extends Decision {
  /** The paths of unlimited rules that fail closed: they count nothing, and refuse while nobody can count. */
  readonly guards: readonly string[];
}

/** What holds for a request, and what is decided of it without asking the counters. */
interface Look {
  readonly uses: readonly Use[];
  readonly known: Decision | undefined;
}

/** @param rules the rules of this moment: asked anew for each decision */
export function createLimiter(deps: {
  rules: () => Rules;
  store: CounterStore;
  metrics: Registry;
  /** Told of every decision. */
  nearLimits?: Pick<NearLimits, 'note'>;
  /** Where others count fail-open events too; one of the limiter's own where absent. */
  failOpen?: FailOpenEvents;
  /** Milliseconds, monotonic. */
  monotonic?: () => number;
  /** For resets that no counter tells. */
  clock?: Clock;
  /** Hears what a store threw other than that it cannot be reached. */
  onError?: (error: unknown) => void;
}): Limiter {
  const { rules, store, nearLimits, monotonic = () => performance.now(), clock = systemClock } = deps;
  const denials = createDenyCache(monotonic);
  const repeats = createRepeats();
  const throttle = createThrottle(monotonic);
  const metrics = createLimiterMetrics({
    registry: deps.metrics,
    rules,
    waiting: throttle.waiting,
    monotonic,
  });
  const failOpen = deps.failOpen ?? createFailOpenEvents(deps.metrics);
  const tellUnexpected = (error: unknown): void => {
    if (!(error instanceof StoreUnreachable)) deps.onError?.(error);
  };
  const ask = createAsk({ store, denials, metrics, failOpen, monotonic, clock, tellUnexpected });
  const { refund, settle } = createTakeBack(store);
  const waits = { throttle, monotonic, onWait: metrics.throttled, refund };

  function look(request: LimitRequest): Look {
    const current = rules();
    // What was refused a moment ago and comes again just the same.
    const repeat = repeats.find(current, request);
    const again = repeat && denials.refusal(repeat.denial);
    if (again) return { uses: repeat.uses, known: again };
    const uses = current.match(request);
    return { uses, known: knownOf(request, uses, current) };
  }

  function knownOf(request: LimitRequest, uses: readonly Use[], current: Rules): Decision | undefined {
    if (uses.every(needsNoStore)) return NOTHING_LIMITED;
    if (impossibleAmong(uses)) return undefined;
    const denial = denials.find(request.caller, uses);
    if (!denial) return undefined;
    repeats.keep({ rules: current, request, uses, denial });
    return denials.refusal(denial);
  }

  function told({ caller, part }: LimitRequest, uses: readonly Use[], decision: Decision): Decision {
    if (isToldOf(part, decision)) metrics.decided(caller, uses, decision);
    if (decision.decidedBy !== 'none') nearLimits?.note(caller, decision);
    return decision;
  }

  /** Charges nothing: what will never fit is read, so that the refusal says what is left for less. */
  async function refuseForGood(use: Use, counters: readonly CounterUse[]): Promise<Decision> {
    const askedAt = monotonic();
    try {
      return decidePeeked(counters, await store.peek(counters));
    } catch (error) {
      tellUnexpected(error);
      return decideImpossible(use, clock.now());
    } finally {
      metrics.checked(monotonic() - askedAt);
    }
  }

  return {
    foresee(request) {
      const { uses, known } = look(request);
      return known?.outcome === 'REJECT' ? told(request, uses, known) : known;
    },

    async decide(request, waiter) {
      const { uses, known } = look(request);
      if (known) return told(request, uses, known);
      const counters = counterUses(request.caller, uses);
      const impossible = impossibleAmong(uses);
      if (impossible) return told(request, uses, await refuseForGood(impossible, counters));
      const attempt = () => ask(request, uses, counters);
      const decision = counters.some(makesWait)
        ? await decideInTurn(waits, counters, { owner: ownerOf(request.caller), signal: waiter }, attempt)
        : (await attempt()).decision;
      return told(request, uses, decision);
    },

    async preview(request) {
      const uses = rules().match(request);
      const guards = uses.filter(isGuard).map(({ tier }) => tier.rule);
      if (uses.every(needsNoStore)) return { ...NOTHING_LIMITED, guards };
      const counters = counterUses(request.caller, uses);
      const askedAt = monotonic();
      try {
        if (counters.length > 0) return { ...decidePeeked(counters, await store.peek(counters)), guards };
        await store.peek(standIns(request.caller, uses));
        return { ...NOTHING_LIMITED, guards };
      } catch (error) {
        tellUnexpected(error);
        return { ...decideUnreachable(uses, clock.now()), guards };
      } finally {
        metrics.checked(monotonic() - askedAt);
      }
    },

    refusedAlike(request, decision) {
      told(request, rules().match(request), { ...decision, decidedBy: 'memory' });
    },

    refund,
    settle,
  };
}

const isUnlimited = ({ limit }: Tier): boolean => limit === Number.POSITIVE_INFINITY;

/** An unlimited rule that fails closed counts nothing, and yet holds only while somebody could count. */
const isGuard = ({ tier }: Use): boolean => isUnlimited(tier) && tier.fail === 'closed' && !tier.shadow;

const needsNoStore = (use: Use): boolean => isUnlimited(use.tier) && !isGuard(use);

import { LRUCache } from 'lru-cache';
import { upTo } from '../../platform/cache/loading-cache.js';
import type { Clock } from '../../platform/clock.js';
import {
  OPERATION_ENDPOINT,
  type RateLimitCaller,
  type RateLimitDecision,
  type RateLimitRequest,
  SIGN_IN_ENDPOINT,
  type Tier,
} from '../../platform/gate.js';
import type { CounterReading, CounterUse } from './counters/store.js';
import { decideFromMemory } from './decide.js';
import { declaredTier } from './declared-tier.js';
import { ownerOf, SHARED_OWNER } from './owners.js';
import type { Rules, Use } from './rules/rules.js';

/** Counters whose refusals are kept. */
const MOST_COUNTERS = 10_000;
/** A charge that was only reserved may be refunded: no refusal is kept for longer. */
const LONGEST_LIFE_MS = 1_000;
/** Callers whose last refused request is kept. */
const MOST_CALLERS = 10_000;
/** A request with more is matched again: comparing would cost as much. */
const MOST_ENDPOINTS = 8;
/** Costly refusals within this time before the cache itself refuses. */
const MOST_COSTLY_REFUSALS = 5;
const COSTLY_WINDOW_MS = 1_000;

/** A refusal. Moments are by the monotonic clock. */
interface Denial {
  /** It holds for this charge and larger ones. */
  charge: number;
  readonly decision: RateLimitDecision;
  readonly until: number;
  readonly admissibleAt: number;
}

/** A refused request, the uses that it was matched to, and the denial that refused it. */
interface DeniedRequest {
  readonly rules: Rules;
  readonly request: RateLimitRequest;
  readonly uses: readonly Use[];
  readonly denial: Denial;
}

/**
 * The refusals that this process knows, so that callers over a limit cost no round trip:
 *
 * - per counter the smallest charge refused, until the earliest moment at which the store might admit it, and for 1 s at
 *   most. It never refuses what the store would admit, refunds within that second aside;
 * - per caller the last refused request: an equal one is refused without matching it to the rules;
 * - refusals that were costly to reach: an operation was parsed by then, wrong credentials were looked up. A caller with
 *   more than five refused operations within a second is refused all requests to GraphQL until that second is over, and
 *   a network with more than five refused sign-ins all that need a lookup. The rules that refused may not hold for those,
 *   so the refusal names a tier of the cache's own.
 *
 * Bounded: the denials of 10,000 counters, those of costly refusals among them, and the last requests of 10,000 callers.
 * The least recently added leave first.
 *
 * @param monotonic milliseconds
 * @param clock for the resets that refusals show
 */
export function createDenialCache(monotonic: () => number, clock: Clock) {
  // A tier is made anew with each set of rules, so that refusals by old rules are never found again.
  const holders = new Map<string, Map<Tier, Denial>>();
  let counters = 0;
  const requests = new LRUCache<string, DeniedRequest>(upTo(MOST_CALLERS));

  function keep(holder: string, tier: Tier, denial: Denial): void {
    const denials = holders.get(holder) ?? new Map<Tier, Denial>();
    if (!denials.has(tier)) counters += 1;
    denials.set(tier, denial);
    // The oldest come first in a Map. One in use is refused again every second, so reading need not reorder.
    holders.delete(holder);
    holders.set(holder, denials);
    while (counters > MOST_COUNTERS) removeOldest();
  }

  function removeOldest(): void {
    for (const [holder, denials] of holders) {
      holders.delete(holder);
      counters -= denials.size;
      return;
    }
  }

  function remove(holder: string, tier: Tier): void {
    const denials = holders.get(holder);
    if (!denials?.delete(tier)) return;
    counters -= 1;
    if (denials.size === 0) holders.delete(holder);
  }

  /**
   * Each costly refusal leaves less to the caller's second: its denial holds for smaller and smaller charges.
   *
   * @param tier the own tier that the refusal counts against
   */
  function addCostly(caller: RateLimitCaller, tier: Tier): void {
    const now = monotonic();
    const owner = ownerOf(caller);
    const known = holders.get(owner)?.get(tier);
    const denial = known && now < known.until ? known : noneRefused(tier, now);
    denial.charge = Math.max(1, denial.charge - 1);
    keep(owner, tier, denial);
  }

  function noneRefused(tier: Tier, now: number): Denial {
    const until = now + COSTLY_WINDOW_MS;
    const resetAt = clock.now() + COSTLY_WINDOW_MS;
    const reading = { used: tier.limit, remaining: 0, resetAt, retryAfterMs: COSTLY_WINDOW_MS };
    const decision = { ...decideFromMemory(tier, reading, COSTLY_WINDOW_MS), readings: [] };
    // The cache itself refuses a request once one more than the limit was refused.
    return { charge: tier.limit + 2, decision, until, admissibleAt: until };
  }

  /** The denial of the first of these uses that has one. A caller without any costs a look-up or two. */
  function find(caller: RateLimitCaller, uses: readonly Use[]): Denial | undefined {
    if (counters === 0) return undefined;
    const owned = holders.get(ownerOf(caller));
    const keyed = caller.apiKeyId === null ? undefined : holders.get(keyHolder(caller));
    const shared = holders.get(SHARED_OWNER);
    if (!owned && !keyed && !shared) return undefined;

    const now = monotonic();
    for (const { tier, charge } of uses) {
      const denials = tier.scope === 'global' ? shared : tier.scope === 'api_key' ? keyed : owned;
      const denial = denials?.get(tier);
      if (!denial) continue;
      if (now >= denial.until) {
        remove(holderOf(caller, tier), tier);
      } else if (charge >= denial.charge) {
        return denial;
      }
    }
    return undefined;
  }

  /** A denial as a decision; undefined when it is over. */
  function refusal(denial: Denial): RateLimitDecision | undefined {
    const now = monotonic();
    if (now >= denial.until) return undefined;
    return { ...denial.decision, retryAfterMs: Math.max(1, Math.ceil(denial.admissibleAt - now)) };
  }

  return {
    find,
    refusal,

    /**
     * Keeps a refusal of the store, unless its tier is one whose refusals may end sooner than the store says: those that
     * throttle, are shadows, or refund their charges later.
     *
     * @param askedAt when the store was asked, by the monotonic clock
     */
    add(caller: RateLimitCaller, use: CounterUse, reading: CounterReading, askedAt: number): void {
      const { tier, charge } = use;
      if (tier.shadow || tier.action === 'throttle' || tier.counts === 'query_cost') return;
      const holder = holderOf(caller, tier);
      const known = holders.get(holder)?.get(tier);
      if (known && known.charge < charge && monotonic() < known.until) return;
      // The store decided after it was asked: counting from then is never too long.
      const admissibleAt = askedAt + reading.retryAfterMs;
      const until = askedAt + Math.min(reading.retryAfterMs, LONGEST_LIFE_MS);
      const decision = decideFromMemory(tier, reading, reading.retryAfterMs);
      keep(holder, tier, { charge, decision, until, admissibleAt });
    },

    /** The caller's last refused request, where this one is equal. */
    findRequest(rules: Rules, request: RateLimitRequest): DeniedRequest | undefined {
      if (requests.size === 0) return undefined;
      const denied = requests.get(ownerOf(request.caller));
      return denied && denied.rules === rules && isSame(denied.request, request) ? denied : undefined;
    },

    addRequest(denied: DeniedRequest): void {
      if (denied.request.endpoints.size <= MOST_ENDPOINTS)
        requests.set(ownerOf(denied.request.caller), denied);
    },

    /** The refusal of a request because of its caller's costly refusals. */
    refusalOfCostly(request: RateLimitRequest): RateLimitDecision | undefined {
      const uses = costlyUses(request);
      const denial = uses && find(request.caller, uses);
      return denial && refusal(denial);
    },

    /** Counts a refused operation. */
    addCostlyOperation: ({ caller }: RateLimitRequest): void => addCostly(caller, OPERATIONS),

    /** Counts a refused request that was a failed sign-in; any other is not counted. */
    addCostlySignIn(request: RateLimitRequest): void {
      if (isSignIn(request)) addCostly(ofNetwork(request.caller), SIGN_INS);
    },
  };
}

const OPERATIONS = ownTier('refused_operations');
const SIGN_INS = ownTier('refused_sign_ins');
/** What refusals by the cache itself name. */
export const COSTLY_TIERS: readonly Tier[] = [OPERATIONS, SIGN_INS];
const OF_OPERATIONS: readonly Use[] = [{ tier: OPERATIONS, charge: 1 }];
const OF_SIGN_INS: readonly Use[] = [{ tier: SIGN_INS, charge: 1 }];

function ownTier(rule: string): Tier {
  const declared = declaredTier({
    key: 'denials',
    value: rule,
    level: 'user',
    scope: 'caller',
    algorithm: 'fixed_window',
    windowSeconds: COSTLY_WINDOW_MS / 1_000,
    limit: MOST_COSTLY_REFUSALS,
  });
  return { ...declared, rule, name: 'per_second' };
}

/** What costly refusals may refuse: requests to GraphQL, and sign-ins that have not been looked up. */
function costlyUses(request: RateLimitRequest): readonly Use[] | undefined {
  if (request.endpoints.has(OPERATION_ENDPOINT)) return OF_OPERATIONS;
  return isSignInAlone(request) ? OF_SIGN_INS : undefined;
}

const isSignIn = ({ endpoints }: RateLimitRequest): boolean => endpoints.has(SIGN_IN_ENDPOINT);

/** A sign-in that is checked before its credentials are looked up. */
export const isSignInAlone = (request: RateLimitRequest): boolean =>
  request.endpoints.size === 1 && isSignIn(request);

/** Wrong credentials identify no user: they count against their network. */
const ofNetwork = (caller: RateLimitCaller): RateLimitCaller => ({ ...caller, userId: null });

function holderOf(caller: RateLimitCaller, tier: Tier): string {
  if (tier.scope === 'global') return SHARED_OWNER;
  return tier.scope === 'api_key' ? keyHolder(caller) : ownerOf(caller);
}

const keyHolder = (caller: RateLimitCaller): string => `${ownerOf(caller)}:${caller.apiKeyId}`;

function isSame(a: RateLimitRequest, b: RateLimitRequest): boolean {
  return (
    a.part === b.part &&
    a.queryCost === b.queryCost &&
    a.caller.plan === b.caller.plan &&
    a.caller.apiKeyId === b.caller.apiKeyId &&
    a.caller.network === b.caller.network &&
    callsSame(a.endpoints, b.endpoints)
  );
}

function callsSame(a: RateLimitRequest['endpoints'], b: RateLimitRequest['endpoints']): boolean {
  if (a.size !== b.size) return false;
  for (const endpoint of b.keys()) if (a.get(endpoint) !== b.get(endpoint)) return false;
  return true;
}

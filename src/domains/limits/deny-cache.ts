import type { CounterReading, CounterUse } from './counters/store.js';
import { decideRemembered } from './decide.js';
import { ownerOf, SHARED_OWNER } from './owners.js';
import type { Decision, LimitedCaller, Tier, Use } from './types.js';

/** Counters whose refusals are remembered. */
const MOST_COUNTERS = 10_000;
/** A charge that was only reserved may be taken back: nothing is held against anybody for longer. */
const LONGEST_LIFE_MS = 1_000;

/** A refusal of the store. Moments are by the monotonic clock. */
export interface Denial {
  /** It holds for this charge and larger ones. */
  readonly charge: number;
  readonly decision: Decision;
  readonly until: number;
  readonly admissibleAt: number;
}

/**
 * Remembers offenders, so that they cost nobody a round trip: per counter the smallest charge refused, until the
 * earliest moment at which the store might admit it, and for 1 s at most. Never refuses what the store would admit,
 * refunds within that second aside. Holds 10,000 counters; forgets those first whose refusal is the oldest.
 */
export interface DenyCache {
  /** The first of these uses that is known to be refused. An innocent caller costs a look-up or two. */
  find(caller: LimitedCaller, uses: readonly Use[]): Denial | undefined;
  /** A denial as a decision; undefined when its time is over. */
  refusal(denial: Denial): Decision | undefined;
  /**
   * Takes note of a refusal, unless its tier is one whose refusals pass sooner than the store can know: those that
   * throttle, only watch, or settle their charges later.
   *
   * @param askedAt when the store was asked, by the monotonic clock
   */
  remember(caller: LimitedCaller, use: CounterUse, reading: CounterReading, askedAt: number): void;
}

/** @param monotonic milliseconds */
export function createDenyCache(monotonic: () => number): DenyCache {
  // A tier is made anew with each set of rules, so that refusals by old rules are never found again.
  const holders = new Map<string, Map<Tier, Denial>>();
  let counters = 0;

  function keep(holder: string, tier: Tier, denial: Denial): void {
    const denials = holders.get(holder) ?? new Map<Tier, Denial>();
    if (!denials.has(tier)) counters += 1;
    denials.set(tier, denial);
    // The oldest come first in a Map. What is in use is refused anew every second, so reading need not reorder.
    holders.delete(holder);
    holders.set(holder, denials);
    while (counters > MOST_COUNTERS) forgetOldest();
  }

  function forgetOldest(): void {
    for (const [holder, denials] of holders) {
      holders.delete(holder);
      counters -= denials.size;
      return;
    }
  }

  function forget(holder: string, tier: Tier): void {
    const denials = holders.get(holder);
    if (!denials?.delete(tier)) return;
    counters -= 1;
    if (denials.size === 0) holders.delete(holder);
  }

  return {
    find(caller, uses) {
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
          forget(holderOf(caller, tier), tier);
        } else if (charge >= denial.charge) {
          return denial;
        }
      }
      return undefined;
    },

    refusal(denial) {
      const now = monotonic();
      if (now >= denial.until) return undefined;
      return { ...denial.decision, retryAfterMs: Math.max(1, Math.ceil(denial.admissibleAt - now)) };
    },

    remember(caller, use, reading, askedAt) {
      const { tier, charge } = use;
      if (tier.shadow || tier.action === 'throttle' || tier.counts === 'query_cost') return;
      const holder = holderOf(caller, tier);
      const known = holders.get(holder)?.get(tier);
      if (known && known.charge < charge && monotonic() < known.until) return;
      // The store decided after it was asked: from then on is never too long.
      const admissibleAt = askedAt + reading.retryAfterMs;
      const until = askedAt + Math.min(reading.retryAfterMs, LONGEST_LIFE_MS);
      const decision = decideRemembered(tier, reading, reading.retryAfterMs);
      keep(holder, tier, { charge, decision, until, admissibleAt });
    },
  };
}

function holderOf(caller: LimitedCaller, tier: Tier): string {
  if (tier.scope === 'global') return SHARED_OWNER;
  return tier.scope === 'api_key' ? keyHolder(caller) : ownerOf(caller);
}

const keyHolder = (caller: LimitedCaller): string => `${ownerOf(caller)}:${caller.apiKeyId}`;

import {
  inPrecedence,
  NOTHING_LIMITED,
  type Outcome,
  type RateLimitDecision,
  type Tier,
  type TierReading,
} from '../../platform/gate.js';
import type { Charged, CounterReading, CounterUse } from './counters/store.js';
import type { Use } from './rules/rules.js';

/** How long a rule that fails closed refuses: a reset 60 seconds ahead. */
const CLOSED_MS = 60_000;

/** The first use that is larger than its tier will ever hold; shadow tiers refuse nothing. */
export function impossibleAmong(uses: readonly Use[]): Use | undefined {
  for (const use of uses) if (use.charge > use.tier.limit && !use.tier.shadow) return use;
  return undefined;
}

/** What the counters' answer to a charge means. */
export function decideCharged(uses: readonly CounterUse[], charged: Charged): RateLimitDecision {
  const readings = tierReadings(uses, charged.readings);
  if (charged.admitted) return admittedBy('store', outcomeOf(readings), readings, charged.receipt);
  const violated = readings[charged.violated]!;
  return refused('store', readings, violated, charged.readings[charged.violated]!.retryAfterMs);
}

/**
 * What a charge would lead to now, by counters that were only read. Readings are without the charge; the outcome is
 * with it. A tier that throttles would make it wait: shown as the refusal that it is at this moment.
 */
export function decidePeeked(
  uses: readonly CounterUse[],
  peeked: readonly CounterReading[],
): RateLimitDecision {
  const readings = tierReadings(uses, peeked);
  const impossible = uses.findIndex(({ tier, charge }) => !tier.shadow && charge > tier.limit);
  const refusing = uses.findIndex(({ tier }, index) => !tier.shadow && peeked[index]!.retryAfterMs > 0);
  const violated = impossible === -1 ? refusing : impossible;
  if (violated === -1) {
    const after = readings.map((reading, index) => ({
      ...reading,
      used: reading.used + uses[index]!.charge,
    }));
    return admittedBy('store', outcomeOf(after), readings);
  }
  const isImpossible = impossible !== -1;
  const retryAfterMs = isImpossible ? windowMs(uses[violated]!.tier) : peeked[violated]!.retryAfterMs;
  return { ...refused('store', readings, readings[violated]!, retryAfterMs), impossible: isImpossible };
}

/**
 * What is decided without counters: refused for 60 s where any rule that is not only
 * watching fails closed, else admitted with everything remaining.
 *
 * @param uses with the unlimited ones
 * @param now milliseconds since the epoch
 */
export function decideUnreachable(uses: readonly Use[], now: number): RateLimitDecision {
  const closed = uses.findIndex(({ tier }) => tier.fail === 'closed' && !tier.shadow);
  const open = (closed === -1 ? uses : uses.slice(0, closed)).filter(({ tier }) =>
    Number.isFinite(tier.limit),
  );
  const readings = open.map(({ tier }) => untouched(tier, tier.limit, now));
  if (closed === -1) return admittedBy('unreachable', 'ALLOW', readings);
  const violated = { tier: uses[closed]!.tier, used: 0, remaining: 0, resetAt: now + CLOSED_MS };
  return refused('unreachable', [...readings, violated], violated, CLOSED_MS);
}

/** A refusal for ever, without a reading of the counters: the charge is larger than the tier will ever hold. */
export function decideImpossible({ tier }: Use, now: number): RateLimitDecision {
  const violated = untouched(tier, 0, now);
  return { ...refused('memory', [violated], violated, windowMs(tier)), impossible: true };
}

/** A refusal that this process knows without asking the counters. */
export function decideFromMemory(
  tier: Tier,
  reading: CounterReading,
  retryAfterMs: number,
): RateLimitDecision {
  const violated = tierReading(tier, reading);
  return refused('memory', [violated], violated, retryAfterMs);
}

/** The client left while its request waited for this tier: nothing is decided, and nothing charged. */
export const decideCancelled = (waitedFor: TierReading | null): RateLimitDecision => ({
  ...NOTHING_LIMITED,
  outcome: 'CANCELLED',
  decisive: waitedFor,
});

/** @param readings with the charge in use */
function outcomeOf(readings: readonly TierReading[]): Outcome {
  for (const { tier, used } of readings) {
    if (!tier.shadow && tier.softLimit !== null && used > tier.softLimit) return 'DEGRADE';
  }
  return 'ALLOW';
}

function admittedBy(
  decidedBy: RateLimitDecision['decidedBy'],
  outcome: Outcome,
  readings: readonly TierReading[],
  receipt: RateLimitDecision['receipt'] = null,
): RateLimitDecision {
  return {
    outcome,
    readings: inPrecedence(readings),
    // Units of cost are no requests: a budget decides only where it is violated.
    decisive: leastOf(readings, 'requests'),
    retryAfterMs: null,
    impossible: false,
    budget: leastOf(readings, 'query_cost'),
    decidedBy,
    receipt,
  };
}

function refused(
  decidedBy: RateLimitDecision['decidedBy'],
  readings: readonly TierReading[],
  violated: TierReading,
  retryAfterMs: number,
): RateLimitDecision {
  return {
    outcome: 'REJECT',
    readings: inPrecedence(readings),
    decisive: violated,
    retryAfterMs: Math.max(1, retryAfterMs),
    impossible: false,
    budget: leastOf(readings, 'query_cost'),
    decidedBy,
    receipt: null,
  };
}

/** The least remaining of the enforced tiers that count requests, or query costs; of equals the later reset. */
function leastOf(readings: readonly TierReading[], counts: Tier['counts']): TierReading | null {
  let least: TierReading | null = null;
  for (const reading of readings) {
    if (reading.tier.shadow || reading.tier.counts !== counts) continue;
    const isLess = !least || reading.remaining < least.remaining;
    const isLater = reading.remaining === least?.remaining && reading.resetAt > least.resetAt;
    if (isLess || isLater) least = reading;
  }
  return least;
}

const untouched = (tier: Tier, remaining: number, now: number): TierReading => ({
  tier,
  used: 0,
  remaining,
  resetAt: now + windowMs(tier),
});

/** Of each counter that was read: all of them, or those up to the violated one. */
function tierReadings(uses: readonly CounterUse[], counters: readonly CounterReading[]): TierReading[] {
  const readings: TierReading[] = [];
  for (let i = 0; i < counters.length; i += 1) readings.push(tierReading(uses[i]!.tier, counters[i]!));
  return readings;
}

const tierReading = (tier: Tier, { used, remaining, resetAt }: CounterReading): TierReading => ({
  tier,
  used,
  remaining,
  resetAt,
});

const windowMs = (tier: Tier): number => tier.windowSeconds * 1_000;

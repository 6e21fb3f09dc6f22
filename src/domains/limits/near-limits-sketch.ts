import { z } from 'zod';
import type { Clock } from '../../platform/clock.js';
import type { RateLimitCaller, RateLimitDecision, Tier, TierReading } from '../../platform/gate.js';
import { ownerOf } from './owners.js';

/** What was seen of one caller near a limit. Processes of other versions read it in Redis. */
export const sightingSchema = z.object({
  owner: z.string(),
  rule: z.string(),
  /** 0 to 1. */
  utilisation: z.number(),
  /** Milliseconds since the epoch. */
  seenAt: z.number(),
  /** The end of the window, from which on it is not shown. */
  expiresAt: z.number(),
  /** Absent where a process of the version before wrote it. */
  plan: z.string().nullable().optional(),
  apiKeyId: z.string().nullable().optional(),
});
export type Sighting = Readonly<z.infer<typeof sightingSchema>>;

export const MOST_OWNERS = 100;
const NEAR = 0.8;
const LONGEST_LIFE_MS = 300_000;
/** Windows of a second would be over before anybody could look. */
const SHORTEST_LIFE_MS = 10_000;
/** One request more or less is a tenth of these and more: to be near them is everyday. */
const SMALLEST = 10;

/** The highest sightings of one process, one an owner, bounded. */
export function createSketch(clock: Clock) {
  let sightings = new Map<string, Sighting>();
  return {
    note(caller: RateLimitCaller, decision: RateLimitDecision): void {
      // A refusal from the denial cache has no new readings, and an unreachable store has none.
      if (decision.decidedBy !== 'store') return;
      const nearest = nearestOf(decision.readings);
      if (nearest) keep(sightingOf(caller, nearest, clock.now()));
    },
    /** All that have not expired. */
    current,
    /** The same, and removes them. */
    take(): readonly Sighting[] {
      const taken = current();
      sightings = new Map();
      return taken;
    },
    /** Puts back what was taken and could not be stored; newer sightings win. */
    giveBack(taken: readonly Sighting[]): void {
      for (const sighting of taken) keep(sighting);
    },
  };

  function current(): readonly Sighting[] {
    const now = clock.now();
    return [...sightings.values()].filter(({ expiresAt }) => expiresAt > now);
  }

  function keep(sighting: Sighting): void {
    const { owner } = sighting;
    const old = sightings.get(owner);
    if (old && !replaces(sighting, old)) return;
    if (!old && sightings.size >= MOST_OWNERS && !evictOne(sighting)) return;
    sightings.set(owner, sighting);
  }

  /** Removes the first that expired, else the lowest, if it is lower than the new one. */
  function evictOne({ utilisation, seenAt }: Sighting): boolean {
    let lowest: Sighting | undefined;
    for (const sighting of sightings.values()) {
      if (sighting.expiresAt <= seenAt) return sightings.delete(sighting.owner);
      if (!lowest || sighting.utilisation < lowest.utilisation) lowest = sighting;
    }
    return lowest !== undefined && lowest.utilisation < utilisation && sightings.delete(lowest.owner);
  }
}

/** Of one limit the newest reading is the truest, of two the fuller one matters. */
export function replaces(sighting: Sighting, old: Sighting): boolean {
  if (old.expiresAt <= sighting.seenAt) return true;
  return sighting.rule === old.rule ? sighting.seenAt >= old.seenAt : sighting.utilisation >= old.utilisation;
}

/** The fullest tier above 80 % that is the caller's own. */
function nearestOf(readings: readonly TierReading[]): TierReading | undefined {
  let nearest: TierReading | undefined;
  let highest = NEAR;
  for (const reading of readings) {
    const utilisation = reading.used / reading.tier.limit;
    if (utilisation <= highest || !isOwnLimit(reading.tier)) continue;
    nearest = reading;
    highest = utilisation;
  }
  return nearest;
}

/**
 * Whether a caller near this limit is of interest to an operator: the limit is enforced, is not shared with other callers, is
 * of the caller as a whole and not of one endpoint, and has 10 units at least. A sign-in rule of five or a burst of one
 * is used up by any caller who uses it at all.
 */
export const isOwnLimit = ({ shadow, scope, level, limit }: Tier): boolean =>
  !shadow && scope !== 'global' && level !== 'endpoint' && limit >= SMALLEST;

/** 0 to 1. */
export const utilisationOf = ({ tier, used }: TierReading): number => Math.min(1, used / tier.limit);

function sightingOf(caller: RateLimitCaller, reading: TierReading, now: number): Sighting {
  const { tier } = reading;
  const life = Math.min(LONGEST_LIFE_MS, Math.max(SHORTEST_LIFE_MS, tier.windowSeconds * 1_000));
  return {
    owner: ownerOf(caller),
    rule: tier.rule,
    utilisation: utilisationOf(reading),
    seenAt: now,
    expiresAt: now + life,
    plan: caller.plan,
    apiKeyId: caller.apiKeyId,
  };
}

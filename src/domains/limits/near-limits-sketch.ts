import type { Clock } from '../../platform/clock.js';
import type { RateLimitCaller, RateLimitDecision, TierReading } from '../../platform/gate.js';
import { isOwnLimit } from './own-limits.js';

/** What was seen of one caller near a limit. */
export interface Sighting {
  readonly owner: string;
  readonly rule: string;
  /** 0 to 1. */
  readonly utilisation: number;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
  /** The end of the window, from which on it is not shown. */
  readonly expiresAt: number;
}

/** The highest sightings of one process, one an owner, bounded. */
export interface Sketch {
  note(caller: RateLimitCaller, decision: RateLimitDecision): void;
  /** All that have not expired. */
  current(): readonly Sighting[];
  /** The same, and removes them. */
  take(): readonly Sighting[];
  /** Puts back what was taken and could not be stored; newer sightings win. */
  giveBack(sightings: readonly Sighting[]): void;
}

export const MOST_OWNERS = 100;
const NEAR = 0.8;
const LONGEST_LIFE_MS = 300_000;
/** Windows of a second would be over before anybody could look. */
const SHORTEST_LIFE_MS = 10_000;

export function createSketch(clock: Clock): Sketch {
  let sightings = new Map<string, Sighting>();
  return {
    note(caller, decision) {
      // A refusal from the denial cache has no new readings, and an unreachable store has none.
      if (decision.decidedBy !== 'store') return;
      const nearest = nearestOf(decision.readings);
      if (nearest) keep(sightingOf(caller, nearest, clock.now()));
    },
    current,
    take() {
      const taken = current();
      sightings = new Map();
      return taken;
    },
    giveBack(taken) {
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
    const { tier, used } = reading;
    const utilisation = used / tier.limit;
    if (utilisation <= highest || !isOwnLimit(tier)) continue;
    nearest = reading;
    highest = utilisation;
  }
  return nearest;
}

function sightingOf(caller: RateLimitCaller, { tier, used }: TierReading, now: number): Sighting {
  const life = Math.min(LONGEST_LIFE_MS, Math.max(SHORTEST_LIFE_MS, tier.windowSeconds * 1_000));
  return {
    owner: caller.userId === null ? `n:${caller.network}` : `u:${caller.userId}`,
    rule: tier.rule,
    utilisation: Math.min(1, used / tier.limit),
    seenAt: now,
    expiresAt: now + life,
  };
}

import type { Channel, Priority } from '../types.js';
import { LATENCY_BOUNDS_MS, type Observation } from './observation.js';

/** Observations are made every 10 s or so; observations further apart do not belong together. */
export const LONGEST_GAP_MS = 35_000;
/** A window may begin this much early, since observations do not end where windows do. */
const SLACK_MS = 15_000;

/** The observations of the last so many milliseconds. One that reaches back much further says nothing of them. */
function within(seen: readonly Observation[], ms: number): readonly Observation[] {
  const begin = seen.at(-1)!.at - ms;
  return seen.filter(({ from, at }) => at > begin && from >= begin - SLACK_MS);
}

/** Attempts of a channel in the last so many milliseconds. */
export function attemptsIn(seen: readonly Observation[], ms: number, channel: Channel) {
  let reached = 0;
  let failed = 0;
  for (const { attempts } of within(seen, ms)) {
    reached += attempts[channel]?.reached ?? 0;
    failed += attempts[channel]?.failed ?? 0;
  }
  return { reached, failed };
}

/** A priority's latencies of the last so many milliseconds, counted by bucket. */
export function latencyIn(seen: readonly Observation[], ms: number, priority: Priority): readonly number[] {
  const counted = within(seen, ms).map(({ latency, slowerLatency }) =>
    priority === 'high' ? latency : slowerLatency?.[priority],
  );
  return Array.from({ length: LATENCY_BOUNDS_MS.length + 1 }, (_, bucket) =>
    counted.reduce((sum, counts) => sum + (counts?.[bucket] ?? 0), 0),
  );
}

/** The observation of so many milliseconds ago, or one shortly before. */
export function observationBefore(seen: readonly Observation[], ms: number): Observation | undefined {
  const then = seen.at(-1)!.at - ms;
  return seen.findLast(({ at }) => at <= then && at > then - LONGEST_GAP_MS);
}

/**
 * Whether something held all the time of the last so many milliseconds, as far as it was looked at: a gap between two
 * observations, or too short a history, is no.
 *
 * @param holds asked of the observations up to each moment, the latest first
 */
export function heldFor(
  seen: readonly Observation[],
  ms: number,
  holds: (seen: readonly Observation[]) => boolean,
): boolean {
  const newest = seen.at(-1)!;
  for (let length = seen.length; length > 0; length--) {
    const one = seen[length - 1]!;
    const next = seen[length];
    if ((next && next.at - one.at > LONGEST_GAP_MS) || !holds(seen.slice(0, length))) return false;
    if (newest.at - one.at >= ms) return true;
  }
  return false;
}

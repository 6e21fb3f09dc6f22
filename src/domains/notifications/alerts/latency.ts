import { quantileOf } from '../../../platform/quantile.js';
import { LATENCY_BOUNDS_MS } from './observation.js';

/**
 * A quantile of latencies counted by bucket, in milliseconds, as `quantileOf` has it. Null where nothing was counted.
 *
 * @param counts by bucket, see `LATENCY_BOUNDS_MS`
 */
export const quantile = (counts: readonly number[], q: number): number | null =>
  quantileOf(LATENCY_BOUNDS_MS, counts, q);

/** A latency that is a bucket's bound, in milliseconds. */
export type LatencyBound = (typeof LATENCY_BOUNDS_MS)[number];

/** How many were counted at or above a latency, which is one of the bounds. */
export function countAbove(counts: readonly number[], ms: LatencyBound): number {
  const first = LATENCY_BOUNDS_MS.indexOf(ms) + 1;
  return counts.slice(first).reduce((sum, count) => sum + count, 0);
}

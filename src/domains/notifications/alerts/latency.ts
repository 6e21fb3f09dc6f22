import { LATENCY_BOUNDS_MS } from './observation.js';

/**
 * A quantile of latencies counted by bucket, in milliseconds: between its bucket's bounds as far as its rank lies among
 * the bucket's own; the last bucket answers its lower bound. Null where nothing was counted.
 *
 * @param counts by bucket, see `LATENCY_BOUNDS_MS`
 */
export function quantile(counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(q * total);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (below + count >= rank) {
      const lower = LATENCY_BOUNDS_MS[bucket - 1] ?? 0;
      const upper = LATENCY_BOUNDS_MS[bucket] ?? lower;
      return lower + ((upper - lower) * (rank - below)) / count;
    }
    below += count;
  }
  return null;
}

/** A latency that is a bucket's bound, in milliseconds. */
export type LatencyBound = (typeof LATENCY_BOUNDS_MS)[number];

/** How many were counted at or above a latency, which is one of the bounds. */
export function countAbove(counts: readonly number[], ms: LatencyBound): number {
  const first = LATENCY_BOUNDS_MS.indexOf(ms) + 1;
  return counts.slice(first).reduce((sum, count) => sum + count, 0);
}

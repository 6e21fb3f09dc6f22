/**
 * A quantile of values counted by bucket, in the unit of the bounds: between its bucket's bounds as far as its rank lies among
 * the bucket's own; the last bucket answers its lower bound. Null where nothing was counted.
 *
 * @param bounds of the buckets, rising: the first bucket lies below the first bound, the last one above the last
 * @param counts by bucket: one more than there are bounds
 */
export function quantileOf(bounds: readonly number[], counts: readonly number[], q: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(q * total);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (below + count >= rank) {
      const lower = bounds[bucket - 1] ?? 0;
      const upper = bounds[bucket] ?? lower;
      return lower + ((upper - lower) * (rank - below)) / count;
    }
    below += count;
  }
  return null;
}

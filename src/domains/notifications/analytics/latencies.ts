/** Each bucket is wider than the one below by this factor: what it says of a latency is at most 4.8 % off. */
const GROWTH = 1.1;
/** Longer ones are counted as this: a year and a bit. */
const LONGEST_MS = 400 * 86_400_000;

/**
 * Bounds of the buckets in which latencies are counted, in milliseconds: bucket 0 lies below the first (less than a
 * millisecond), bucket n from the n-th on and below the next.
 */
export const BUCKET_BOUNDS_MS: readonly number[] = Array.from(
  { length: Math.ceil(Math.log(LONGEST_MS) / Math.log(GROWTH)) + 1 },
  (_, n) => GROWTH ** n,
);

/** How many latencies lie in each bucket. */
export type Latencies = ReadonlyMap<number, number>;

/** The bucket of a latency: how many bounds do not lie above it, as Postgres's width_bucket has it. */
export function bucketOf(ms: number): number {
  let low = 0;
  let high = BUCKET_BOUNDS_MS.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (BUCKET_BOUNDS_MS[middle]! <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The latency, in milliseconds, that a share `q` of those counted do not exceed: at most 4.8 % beside the true one. Null
 * where none was counted.
 *
 * @param q above 0, at most 1
 */
export function quantile(latencies: Latencies, q: number): number | null {
  const buckets = [...latencies].sort(([one], [other]) => one - other);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.ceil(q * total);
  let upTo = 0;
  for (const [bucket, count] of buckets) {
    upTo += count;
    if (count > 0 && upTo >= rank) return latencyOf(bucket);
  }
  return null;
}

/** As far from the lower bound as from the upper one, measured by themselves. */
function latencyOf(bucket: number): number {
  const lower = BUCKET_BOUNDS_MS[bucket - 1];
  return lower === undefined ? 0 : lower * ((2 * GROWTH) / (GROWTH + 1));
}

/** How long things took, told by its middle and its end. */
export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** @throws RangeError when nothing was measured */
export function latencyOf(tookMs: Iterable<number>): Latency {
  const sorted = Float64Array.from(tookMs).sort();
  if (sorted.length === 0) throw new RangeError('nothing was measured');
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

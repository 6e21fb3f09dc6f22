import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BUCKET_BOUNDS_MS, bucketOf, quantile } from '../../src/domains/notifications/analytics/latencies.js';

const YEAR_MS = 366 * 86_400_000;
/** Many short ones, and some of every length. */
const latency = fc.oneof(
  fc.integer({ min: 1, max: 2_000 }),
  fc.integer({ min: 1, max: YEAR_MS }),
  fc.double({ min: 0, max: Math.log(YEAR_MS), noNaN: true }).map((log) => Math.round(Math.exp(log))),
);

function counted(latencies: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const ms of latencies) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
  return counts;
}

/** The smallest latency that a share of all do not exceed. */
const trueQuantile = (latencies: readonly number[], q: number): number =>
  latencies.toSorted((one, other) => one - other)[Math.ceil(q * latencies.length) - 1]!;

describe('a quantile of counted latencies', () => {
  it('is at most 5 % beside the true one, whatever was counted and in whatever order', () => {
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 300 }),
        fc.constantFrom(0.001, 0.5, 0.9, 0.95, 0.99, 0.999, 1),
        (latencies, q) => {
          const expected = trueQuantile(latencies, q);
          const off = Math.abs(quantile(counted(latencies), q)! - expected) / expected;
          expect(off).toBeLessThanOrEqual(0.05);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('is so of every single latency, at the bounds of buckets too', () => {
    const near = BUCKET_BOUNDS_MS.flatMap((bound) => [Math.floor(bound), Math.ceil(bound)]);
    for (const ms of near.filter((one) => one >= 1 && one <= YEAR_MS)) {
      expect(Math.abs(quantile(counted([ms]), 0.5)! - ms) / ms).toBeLessThanOrEqual(0.05);
    }
  });

  it('is the same of two halves that were counted apart and added up', () => {
    fc.assert(
      fc.property(fc.array(latency), fc.array(latency), (one, other) => {
        const sum = counted(one);
        for (const [bucket, count] of counted(other)) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
        expect(quantile(sum, 0.95)).toBe(quantile(counted([...one, ...other]), 0.95));
      }),
    );
  });

  it('is 0 of what took no time, and of what clocks that disagree let end before it began', () => {
    expect(quantile(counted([0, -5, -3_600_000]), 0.99)).toBe(0);
  });

  it('does not fail of what took longer than anything may', () => {
    expect(quantile(counted([Number.MAX_SAFE_INTEGER]), 0.5)).toBeGreaterThan(YEAR_MS);
  });

  it('is none where nothing was counted', () => {
    expect(quantile(new Map(), 0.5)).toBeNull();
    expect(quantile(new Map([[3, 0]]), 0.5)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refillOf } from '../../src/domains/limits/counters/encoding.js';

describe('the refill of a token bucket', () => {
  it('is never faster than the rule says, and at most 0.02 % slower', () => {
    const units = fc.constantFrom(1, 60, 3_600, 86_400).map((seconds) => seconds * 1_000_000);
    const anyRate = fc.oneof(
      fc.integer({ min: 1, max: 2_147_483_647 }),
      fc.integer({ min: 1, max: 100_000 }),
    );
    fc.assert(
      fc.property(anyRate, units, (perWindow, window) => {
        const { tokens, interval } = refillOf(perWindow, window);
        expect(Number.isInteger(tokens) && tokens > 0 && Number.isInteger(interval) && interval > 0).toBe(
          true,
        );
        const given = BigInt(tokens) * BigInt(window);
        const wanted = BigInt(perWindow) * BigInt(interval);
        expect(given <= wanted).toBe(true);
        expect(given * 10_000n >= wanted * 9_998n).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is a token at a time where a token is worth 5 ms or more', () => {
    expect(refillOf(60, 60_000_000)).toEqual({ tokens: 1, interval: 1_000_000 });
    expect(refillOf(7, 86_400_000_000)).toEqual({ tokens: 1, interval: 12_342_857_143 });
  });
});

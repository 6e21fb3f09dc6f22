import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparedWith, comparisons, spanOf, spans } from '../../web/src/console/sections/analytics/span.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const moment = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') });

describe('the span of the analytics', () => {
  test('is one that the API takes, whatever was chosen, and so is the one that it is compared with', () => {
    const length = fc.oneof(
      fc.integer({ min: 1, max: 400 * DAY }),
      fc.integer({ min: 2 * DAY - 2 * MINUTE, max: 2 * DAY + 2 * MINUTE }),
      fc.integer({ min: 90 * DAY - 2 * HOUR, max: 90 * DAY + 2 * HOUR }),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...spans),
        fc.constantFrom(...comparisons),
        moment,
        length,
        (span, compare, start, lasts) => {
          const [from, to] = [start, start + lasts].map((ms) => new Date(ms).toISOString());
          const shown = spanOf({ span, from: from!, to: to! }, start + lasts);
          for (const { fromMs, toMs } of [shown, comparedWith(shown, compare) ?? shown]) {
            expect(toMs).toBeGreaterThan(fromMs);
            expect(toMs - fromMs).toBeLessThanOrEqual(90 * DAY);
            const unit = toMs - fromMs > 2 * DAY ? HOUR : MINUTE;
            expect([fromMs % unit, toMs % unit]).toEqual([0, 0]);
          }
        },
      ),
    );
  });

  test('of what is longer than 90 days is its end', () => {
    const chosen = { span: 'custom', from: '2026-01-01T00:30:00Z', to: '2026-12-31T12:10:00Z' };
    const { fromMs, toMs } = spanOf(chosen, 0);
    expect(new Date(toMs).toISOString()).toBe('2026-12-31T13:00:00.000Z');
    expect(toMs - fromMs).toBe(90 * DAY);
  });

  test('that was typed wrongly is the last day', () => {
    const now = Date.parse('2026-05-04T12:00:00Z');
    expect(spanOf({ span: 'custom', from: 'tomorrow', to: '' }, now)).toEqual({
      fromMs: now - DAY,
      toMs: now,
    });
  });
});

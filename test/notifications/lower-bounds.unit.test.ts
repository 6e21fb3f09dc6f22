import { expect, it } from 'vitest';
import { createLowerBounds } from '../../src/domains/notifications/delivery/lower-bounds.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

function trial() {
  let now = 0;
  const bounds = createLowerBounds<bigint>(() => now);
  return {
    bounds,
    after(ms: number) {
      now += ms;
    },
  };
}

it('a value bounds a queue only once it was seen for over a minute: what was begun before is committed by then', () => {
  const { bounds, after } = trial();
  bounds.saw('a', 10n);
  expect(bounds.of('a')).toBe(null);
  after(59 * SECOND);
  bounds.saw('a', 500n);
  expect(bounds.of('a')).toBe(null);
  after(SECOND);
  bounds.saw('a', 600n);
  expect(bounds.of('a')).toBe(10n);
  after(MINUTE);
  bounds.saw('a', 900n);
  expect(bounds.of('a')).toBe(600n);
  expect(bounds.of('b')).toBe(null);
});

it('the least value is looked for once a minute', () => {
  const { bounds, after } = trial();
  expect(bounds.wants('a')).toBe(true);
  bounds.saw('a', 1n);
  expect(bounds.wants('a')).toBe(false);
  after(MINUTE);
  expect(bounds.wants('a')).toBe(true);
});

it('every ten minutes it is looked for without a bound, once: what came below it is found, and the bound goes down', () => {
  const { bounds, after } = trial();
  for (let minute = 0n; minute < 10n; minute++) {
    bounds.saw('a', 100n + minute);
    after(MINUTE);
  }
  expect(bounds.wants('a')).toBe(true);
  expect(bounds.of('a')).toBe(null);
  expect(bounds.of('a')).toBe(108n);
  bounds.saw('a', 50n);
  expect(bounds.of('a')).toBe(50n);
});

import { expect, it } from 'vitest';
import { uuidV7Ids } from '../../src/platform/ids.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('makes ids that differ, also past every refill of its random bytes', () => {
  const ids = uuidV7Ids({ now: () => 1_700_000_000_000 });
  const made = Array.from({ length: 5_000 }, () => ids.next());
  expect(made.every((id) => UUID_V7.test(id))).toBe(true);
  expect(new Set(made).size).toBe(5_000);
});

it('makes ids that sort by time of making, also within one millisecond', () => {
  const ids = uuidV7Ids({ now: () => 1_700_000_000_000 });
  const made = Array.from({ length: 5_000 }, () => ids.next());
  expect(made.toSorted()).toEqual(made);
});

it('makes ids that sort by the clock', () => {
  let now = 1_700_000_000_000;
  const ids = uuidV7Ids({ now: () => now++ });
  const made = Array.from({ length: 500 }, () => ids.next());
  expect(made.toSorted()).toEqual(made);
});

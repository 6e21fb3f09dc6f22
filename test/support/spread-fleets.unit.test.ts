import fc from 'fast-check';
import { expect, it } from 'vitest';
import { spread } from './spread-fleets.js';

it('every file runs once, and no two fleets one after the other where there is something to put between', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), (fleets, others) => {
      const isFleet = (n: number) => n < fleets;
      const all = Array.from({ length: fleets + others }, (_, n) => n);
      const order = spread(all.filter(isFleet), all.slice(fleets));
      expect(order.toSorted((one, other) => one - other)).toEqual(all);
      if (others < fleets ** 2) return;
      expect(order.some((n, index) => isFleet(n) && isFleet(order[index + 1] ?? fleets))).toBe(false);
    }),
  );
});

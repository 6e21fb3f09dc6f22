import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlotShares } from '../../src/platform/queues/slot-shares.js';

const SHARES = [0.4, 0.4, 0.2];
const [HIGH, MEDIUM, LOW] = [0, 1, 2] as const;
const take = (slots: ReturnType<typeof createSlotShares>, queue: number, count: number): void => {
  for (let n = 0; n < count; n += 1) slots.take(queue);
};

describe('of 100 slots', () => {
  it('low may borrow all but a fifth while the others are idle', () => {
    const slots = createSlotShares(100, SHARES);
    expect(slots.free(LOW)).toBe(80);
    take(slots, LOW, 80);
    expect(slots.free(LOW)).toBe(0);
  });

  it('each has its own share at once, whatever was lent of it', () => {
    const slots = createSlotShares(100, SHARES);
    take(slots, LOW, 80);
    expect(slots.free(HIGH)).toBe(40);
    expect(slots.free(MEDIUM)).toBe(40);
  });

  it('a borrower gives back as its jobs end, once the owner is there', () => {
    const slots = createSlotShares(100, SHARES);
    take(slots, LOW, 80);
    slots.release(LOW);
    expect(slots.free(LOW)).toBe(1);
    take(slots, LOW, 1);
    take(slots, MEDIUM, 1);
    slots.release(LOW);
    expect(slots.free(LOW)).toBe(0);
  });

  it('none are lent while the process is late, but to high, and each keeps its own', () => {
    const slots = createSlotShares(100, SHARES);
    slots.setLending(0);
    expect([HIGH, MEDIUM, LOW].map((queue) => slots.free(queue))).toEqual([100, 40, 20]);
    take(slots, LOW, 20);
    take(slots, HIGH, 70);
    expect([HIGH, MEDIUM, LOW].map((queue) => slots.free(queue))).toEqual([10, 40, 0]);
  });
});

describe('whatever is taken and given back', () => {
  it('an owner below its share may always start, and all together stay below 1.8 times the slots', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 200 }),
        fc.array(fc.record({ queue: fc.nat(2), isTaking: fc.boolean() }), { maxLength: 800 }),
        (size, steps) => {
          const slots = createSlotShares(size, SHARES);
          const running = [0, 0, 0];
          for (const { queue, isTaking } of steps) {
            if (isTaking && slots.free(queue) > 0) {
              slots.take(queue);
              running[queue]! += 1;
            } else if (!isTaking && running[queue]! > 0) {
              slots.release(queue);
              running[queue]! -= 1;
            }
            for (const [index, share] of SHARES.entries()) {
              const own = Math.max(1, Math.floor(share * size));
              if (running[index]! < own)
                expect(slots.free(index)).toBeGreaterThanOrEqual(own - running[index]!);
            }
            expect(running.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.8 * size);
          }
        },
      ),
    );
  });
});

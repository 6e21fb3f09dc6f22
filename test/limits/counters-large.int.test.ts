import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALGORITHMS } from '../../src/platform/gate.js';
import { counterWorld } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();
/** The largest number that rules may say. */
const LARGEST = 2 ** 31 - 1;
const WINDOWS = [1, 60, 3_600, 86_400];
let users = 0;

const someLimit = fc.oneof(
  fc.integer({ min: 1, max: LARGEST }),
  fc.integer({ min: 100_000, max: 110_000 }),
  fc.constant(LARGEST),
);
/** Of the limit, in thousandths. */
const someShare = fc.integer({ min: 1, max: 700 });

describe('a limit as large as rules may say', () => {
  it('of a leaky bucket refuses the third half of a day', async () => {
    const use = aUse(
      'u:alice',
      aTier({ algorithm: 'leaky_bucket', windowSeconds: 86_400, limit: 120_000, perWindow: 120_000 }),
      60_000,
    );
    const admitted = [];
    for (let n = 0; n < 3; n += 1) admitted.push((await world.store.charge([use])).admitted);
    expect(admitted).toEqual([true, true, false]);
    expect(await world.usedBy(use)).toBe(120_000);
  });

  it.each(ALGORITHMS.filter((algorithm) => algorithm !== 'sliding_window_log'))(
    'admits exactly that much at once: %s',
    async (algorithm) => {
      await fc.assert(
        fc.asyncProperty(
          someLimit,
          fc.constantFrom(...WINDOWS),
          fc.array(someShare, { minLength: 3, maxLength: 6 }),
          async (limit, windowSeconds, shares) => {
            users += 1;
            const tier = aTier({ algorithm, windowSeconds, limit, perWindow: limit });
            const use = (charge: number) => aUse(`u:${users}`, tier, charge);
            let used = 0;
            for (const share of shares) {
              const charge = Math.max(1, Math.floor((limit * share) / 1_000));
              const { admitted } = await world.store.charge([use(charge)]);
              expect(admitted).toBe(used + charge <= limit);
              if (admitted) used += charge;
              expect(await world.usedBy(use(1))).toBe(used);
            }
            if (used === limit) return;
            expect((await world.store.charge([use(limit - used)])).admitted).toBe(true);
            expect((await world.store.charge([use(1)])).admitted).toBe(false);
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  it('of a leaky bucket drains by its rate', async () => {
    await fc.assert(
      fc.asyncProperty(
        someLimit,
        fc.constantFrom(...WINDOWS),
        fc.array(fc.tuple(someShare, fc.nat(100)), { minLength: 3, maxLength: 6 }),
        async (limit, windowSeconds, steps) => {
          users += 1;
          const tier = aTier({ algorithm: 'leaky_bucket', windowSeconds, limit, perWindow: limit });
          const window = BigInt(windowSeconds) * 1_000_000n;
          let level = 0n;
          for (const [share, hundredths] of steps) {
            const pause = Math.floor((windowSeconds * 1_000 * hundredths) / 1_000);
            world.pass(pause);
            const drained = level - BigInt(limit) * BigInt(pause) * 1_000n;
            level = drained > 0n ? drained : 0n;
            const charge = Math.max(1, Math.floor((limit * share) / 1_000));
            const above = level + (BigInt(charge) - BigInt(limit)) * window;
            const { admitted } = await world.store.charge([aUse(`u:${users}`, tier, charge)]);
            // Nearer than a hundred-thousandth of a unit, it may be rounded.
            if (above > window / 100_000n || above <= 0n) expect(admitted).toBe(above <= 0n);
            if (admitted) level += BigInt(charge) * window;
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

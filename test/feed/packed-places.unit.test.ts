import { describe, expect, it } from 'vitest';
import { packSet, unpackSet } from '../../src/domains/feed/cache/packed-places.js';
import { BEGINNING, firstIdAt, newestFirst, type PostPlace } from '../../src/domains/feed/types.js';
import { createChance } from './random.js';

const NOW = 1_795_000_000_000;
const NARROW = 16;
const WIDE = 22;
/** As `read.lua` answers it. */
const answerOf = ({ floor, entries }: { floor: Buffer; entries: Buffer }): Buffer =>
  Buffer.concat([Buffer.of(floor.length), floor, entries]);
const packedAndBack = (places: readonly PostPlace[], completeFrom = BEGINNING) =>
  unpackSet(answerOf(packSet({ places, completeFrom })));
const madeAt = (ms: number, rest = '123456789abc'): string => firstIdAt(ms).slice(0, 24) + rest;

describe('entries of a warm set', () => {
  it('take 16 bytes where ids were made at about the time of their posts, 22 where one was not', () => {
    for (const [later, width] of [
      [0, NARROW],
      [-3_071, NARROW],
      [1_024, NARROW],
      [-3_072, WIDE],
      [1_025, WIDE],
    ] as const) {
      const places = [{ at: NOW, postId: madeAt(NOW + later) }];
      expect(packSet({ places, completeFrom: BEGINNING }).floor).toHaveLength(width);
      expect(packedAndBack(places)).toEqual({ places, completeFrom: BEGINNING });
    }
  });

  it('hold ids of any version', () => {
    const places = [{ at: NOW, postId: '5f2d1c3e-8a4b-4c6d-9e0f-a1b2c3d4e5f6' }];
    expect(packedAndBack(places)).toEqual({ places, completeFrom: BEGINNING });
  });

  it('hold every bit of an id', () => {
    for (const ones of ['000000000001', '100000000000', 'ffffffffffff'])
      for (const group of ['7001', '7800', '7fff'])
        for (const variant of ['8001', '9000', 'bfff']) {
          const postId = `${madeAt(NOW).slice(0, 14)}${group}-${variant}-${ones}`;
          expect(packedAndBack([{ at: NOW, postId }]).places).toEqual([{ at: NOW, postId }]);
        }
  });

  it('sort as bytes in the order of places', () => {
    const chance = createChance();
    for (const spread of [3, 1_000, 100_000]) {
      const places = Array.from({ length: 300 }, (_, n) => ({
        at: NOW + chance.int(40),
        postId: madeAt(NOW + chance.int(spread), n.toString(16).padStart(12, '0')),
      }));
      const { floor, entries } = packSet({ places, completeFrom: BEGINNING });
      const each = Array.from({ length: places.length }, (_, n) =>
        entries.subarray(n * floor.length, (n + 1) * floor.length),
      );
      expect(each).toEqual(each.toSorted(Buffer.compare));
      expect(packedAndBack(places).places).toEqual(places.toSorted(newestFirst));
    }
  });
});

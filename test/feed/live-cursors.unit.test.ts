import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLiveCursors, MAX_UPDATES } from '../../src/domains/feed/live/cursors.js';

const SECRET = 'a secret of thirty-two characters';
const cursors = createLiveCursors(SECRET);
const position = fc.maxSafeNat();
const told = fc.record({
  done: position,
  seen: fc.uniqueArray(position, { maxLength: MAX_UPDATES }).map((positions) => new Set(positions)),
});
const badCursor = expect.objectContaining({ code: 'BAD_CURSOR' });

describe('a cursor of feedUpdated', () => {
  it('has for its reader exactly what was written', () => {
    fc.assert(
      fc.property(told, fc.string({ minLength: 1 }), (what, viewer) => {
        expect(cursors.read(viewer, cursors.write(viewer, what))).toEqual(what);
      }),
    );
  });

  it('holds as many positions as a reader may have seen', () => {
    const seen = new Set(Array.from({ length: MAX_UPDATES }, (_, i) => Number.MAX_SAFE_INTEGER - 1 - i));
    const most = { done: Number.MAX_SAFE_INTEGER, seen };
    expect(cursors.read('ann', cursors.write('ann', most))).toEqual(most);
  });

  it('says nothing to another reader, nor where another secret signed it', () => {
    const what = { done: 7, seen: new Set([9]) };
    const others = createLiveCursors('another secret of many characters').write('ann', what);
    expect(() => cursors.read('ben', cursors.write('ann', what))).toThrow(badCursor);
    expect(() => cursors.read('ann', others)).toThrow(badCursor);
  });

  it('is refused as soon as a single character of it differs', () => {
    fc.assert(
      fc.property(told, fc.nat(), fc.constantFrom(...'AZaz09-_ =.é'), (what, at, character) => {
        const cursor = cursors.write('ann', what);
        const index = at % (cursor.length + 1);
        const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
        fc.pre(changed !== cursor);
        expect(() => cursors.read('ann', changed)).toThrow(badCursor);
      }),
    );
  });

  it('is refused where it is empty, huge or forged', () => {
    for (const cursor of ['', 'x', 'WzBd', 'A'.repeat(100_000), Buffer.alloc(200, 1).toString('base64url')])
      expect(() => cursors.read('ann', cursor)).toThrow(badCursor);
  });
});

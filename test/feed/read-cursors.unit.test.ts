import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFeedCursors } from '../../src/domains/feed/read/cursors.js';
import {
  cursorAt,
  type FeedCursor,
  fingerprintOf,
  passedBy,
} from '../../src/domains/feed/read/feed-cursor.js';
import { NOW_AND_LATER } from '../../src/domains/feed/types.js';
import { createSigner } from '../../src/platform/auth/signer.js';

const cursors = createFeedCursors('a secret of thirty-two characters');

const place = fc.record({ at: fc.integer({ min: 0, max: NOW_AND_LATER.at }), postId: fc.uuid() });
const feedCursor: fc.Arbitrary<FeedCursor> = fc.record({
  order: fc.constantFrom('RANKED' as const, 'LATEST' as const),
  place,
  window: fc.record({ from: place, to: fc.option(place), openedAt: fc.integer({ min: 0, max: 4e12 }) }),
  shown: fc.array(fc.uuid().map(fingerprintOf), { maxLength: 120 }).map((each) => each.join('')),
});
const advertised = fc
  .array(fc.uuid().map(fingerprintOf), { minLength: 1, maxLength: 100 })
  .map((each) => ({ advertised: each.join('') }));
const anyCursor = fc
  .tuple(
    feedCursor,
    fc.oneof(fc.constant({}), advertised),
    fc.oneof(fc.constant({}), fc.constant({ lastAbove: 7 })),
  )
  .map(([where, own, above]) => ({ ...where, ...own, window: { ...where.window, ...above } }));

describe("a feed's cursor", () => {
  it('says to its reader exactly where they stood, and which sponsored posts they were shown', () => {
    fc.assert(
      fc.property(anyCursor, fc.string({ minLength: 1 }), (where, viewer) => {
        expect(cursors.read(viewer, cursors.write(viewer, where))).toEqual(where);
      }),
    );
  });

  it('says nothing to another reader, nor where another secret signed it', () => {
    const mine = cursors.write('ann', cursorAt('RANKED', NOW_AND_LATER));
    const others = createFeedCursors('another secret of many characters').write(
      'ann',
      cursorAt('RANKED', NOW_AND_LATER),
    );
    expect(() => cursors.read('ben', mine)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
    expect(() => cursors.read('ann', others)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
  });

  it("is refused for a user whose id is a prefix or a suffix of its reader's", () => {
    const where = cursorAt('RANKED', NOW_AND_LATER);
    const before = cursors.write('benAAAAAAAA', where);
    const behind = cursors.write('AAAAAAAAben', where);
    for (const moved of [before, `AAAAAAAA${before}`, behind, `AAAAAAAA${behind}`])
      expect(() => cursors.read('ben', moved)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
  });

  it('is refused as soon as a single character of it differs', () => {
    fc.assert(
      fc.property(feedCursor, fc.nat(), fc.constantFrom(...'AZaz09-_ =.é'), (where, at, character) => {
        const cursor = cursors.write('ann', where);
        const index = at % (cursor.length + 1);
        const changed = cursor.slice(0, index) + character + cursor.slice(index + 1);
        fc.pre(changed !== cursor);
        expect(() => cursors.read('ann', changed)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
      }),
    );
  });

  it('is refused where it is empty, huge or forged', () => {
    const made = ['', 'x', 'W10', 'A'.repeat(100_000), Buffer.alloc(200, 1).toString('base64url')];
    for (const cursor of made) {
      expect(() => cursors.read('ann', cursor)).toThrow(expect.objectContaining({ code: 'BAD_CURSOR' }));
    }
  });

  it('of the version before is read as it was meant', () => {
    const signer = createSigner('a secret of thirty-two characters', 'tidings feed cursors', 9_000);
    fc.assert(
      fc.property(feedCursor, (where) => {
        const body = signer.verify('ann', cursors.write('ann', where))!;
        expect(body[0]).toBe(4);
        body[0] = 3;
        expect(cursors.read('ann', signer.sign('ann', body))).toEqual(where);
        body[0] = 2;
        expect(() => cursors.read('ann', signer.sign('ann', body))).toThrow();
      }),
    );
  });

  it('remembers what was shown by eight bytes a post', () => {
    const [first, second] = ['0190b1a0-0000-7000-8000-000000000001', '0190b1a0-0000-7000-8000-000000000002'];
    const where: FeedCursor = { ...cursorAt('RANKED', NOW_AND_LATER), shown: fingerprintOf(first!) };
    const hasPassed = passedBy(cursors.read('ann', cursors.write('ann', where)));
    expect([first, second].map((postId) => hasPassed({ at: 1, postId: postId! }))).toEqual([true, false]);
    const lengthWith = (count: number) =>
      cursors.write('ann', { ...where, shown: where.shown.repeat(count) }).length;
    expect(((lengthWith(120) - lengthWith(0)) * 3) / 4).toBe(960);
  });
});

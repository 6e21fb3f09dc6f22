import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Relations } from '../../src/domains/feed/graph/relations.js';
import { findsMutedKeyword } from '../../src/domains/feed/read/muted-keywords.js';
import { createRepetitions } from '../../src/domains/feed/read/near-duplicates.js';
import { mayBeSponsored, mayStay, type View } from '../../src/domains/feed/read/rules.js';
import { placeSponsored } from '../../src/domains/feed/read/sponsored-slots.js';
import { postOf } from './read-posts.js';

const nobody: Relations = {
  viewerId: 'me',
  follows: new Set(['ann', 'ben']),
  muted: new Set(),
  blocked: new Set(),
  pulled: [],
  mutedKeywords: [],
};
const view = (relations: Partial<Relations> = {}, hidden: string[] = []): View => ({
  relations: { ...nobody, ...relations },
  hiddenLabels: new Set(hidden),
});
const alone = (post: ReturnType<typeof postOf>) => ({ post, original: null });

describe('a feed', () => {
  it('shows own posts and those of whom the reader follows, and nobody else’s', () => {
    expect(mayStay(alone(postOf('ann')), view())).toBe(true);
    expect(mayStay(alone(postOf('me', { visibility: 'private' })), view())).toBe(true);
    expect(mayStay(alone(postOf('cat')), view())).toBe(false);
    expect(mayBeSponsored(alone(postOf('cat')), view())).toBe(true);
  });

  it('keeps private posts and what muted or blocked people say out, also where it is sponsored', () => {
    const secret = alone(postOf('ann', { visibility: 'private' }));
    const muted = view({ muted: new Set(['ann']) });
    const blocked = view({ blocked: new Set(['ann']) });
    for (const allows of [mayStay, mayBeSponsored]) {
      expect(allows(secret, view())).toBe(false);
      expect(allows(alone(postOf('ann')), muted)).toBe(false);
      expect(allows(alone(postOf('ann')), blocked)).toBe(false);
    }
  });

  it('takes a reshare out with the original’s author, and a plain one with the original', () => {
    const original = postOf('cat');
    const plain = postOf('ann', { content: '', sharedPostId: original.postId });
    const quote = postOf('ann', { content: 'look', sharedPostId: original.postId });
    const stays = (post: typeof plain, shared: typeof original | null, through = view()) =>
      mayStay({ post, original: shared }, through);
    expect(stays(plain, original)).toBe(true);
    expect(stays(plain, original, view({ muted: new Set(['cat']) }))).toBe(false);
    expect(stays(quote, original, view({ blocked: new Set(['cat']) }))).toBe(false);
    expect([stays(plain, null), stays(quote, null)]).toEqual([false, true]);
    const forFollowers = postOf('cat', { visibility: 'followers' });
    expect([stays(plain, forFollowers), stays(quote, forFollowers)]).toEqual([false, true]);
    expect(stays(plain, forFollowers, view({ follows: new Set(['ann', 'cat']) }))).toBe(true);
  });

  it('hides labels that policy hides, and muted words, but never from their own author', () => {
    const labelled = { labels: ['adult'] };
    expect(mayStay(alone(postOf('ann', labelled)), view())).toBe(true);
    expect(mayStay(alone(postOf('ann', labelled)), view({}, ['adult']))).toBe(false);
    expect(mayStay(alone(postOf('me', labelled)), view({}, ['adult']))).toBe(true);
    const muting = view({ mutedKeywords: ['Football'] });
    expect(mayStay(alone(postOf('ann', { content: 'More football!' })), muting)).toBe(false);
    expect(mayStay(alone(postOf('me', { content: 'More football!' })), muting)).toBe(true);
  });
});

describe('a muted keyword', () => {
  const finds = (keyword: string, text: string) =>
    findsMutedKeyword({ ...nobody, mutedKeywords: [keyword] })(text);

  it.each([
    ['cat', 'A CAT sat', true],
    ['cat', 'concatenate', false],
    ['cat', 'cats', false],
    ['cat', '#cat.', true],
    ['élan', 'quel ÉLAN!', true],
    ['elan', 'élan', false],
    ['c++', 'I write C++ now', true],
    ['new  year', 'a new\nyear', true],
    ['.*', 'anything', false],
    ['世界', '你好世界很好', true],
    ['straße', 'Große STRAßE', true],
    ['ﷺ', 'he ﷺ said', true],
  ])('%s in %j: %s', (keyword, text, isThere) => {
    expect(finds(keyword, text)).toBe(isThere);
  });

  it('is taken literally, whatever it is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (keyword) => {
        fc.pre(keyword.trim() !== '');
        expect(() => finds(keyword, 'some text')).not.toThrow();
        expect(finds(keyword, `… ${keyword} …`)).toBe(true);
      }),
    );
  });

  it('is found among others, wherever it stands', () => {
    const text = fc
      .array(fc.constantFrom('a', 'B', 'c', ' ', '-', '世', 'Σ'), { maxLength: 12 })
      .map((characters) => characters.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (keywords, content) => {
        const together = findsMutedKeyword({ ...nobody, mutedKeywords: keywords });
        expect(together(content)).toBe(keywords.some((keyword) => findsNaively(keyword, content)));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['nearly holds all of them everywhere', 'b '.repeat(2_500), (n: number) => `${'b '.repeat(48)}${n}`],
    ['holds one within the other', 'a'.repeat(5_000), (n: number) => 'a'.repeat(n)],
    ['is written out by signs for whole phrases', '\ufdfa'.repeat(5_000), (n: number) => `صلى ${n}`],
    ['ends them one letter too early', 'a'.repeat(5_000), (n: number) => `${'a'.repeat(97)}${n}`],
  ])('costs no more where a text %s', (_, content, keywordOf) => {
    const mutedKeywords = Array.from({ length: 99 }, (_none, index) => keywordOf(index + 1));
    const finder = findsMutedKeyword({ ...nobody, mutedKeywords });
    const began = performance.now();
    for (let posts = 0; posts < 20; posts += 1) expect(finder(content)).toBe(false);
    // About 20 ms; with a regular expression, minutes.
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe('near-identical posts', () => {
  it('leave the best one, and differ in at most three bits of its fingerprint', () => {
    const flip = (bits: bigint, ...at: number[]) =>
      at.reduce((value, bit) => value ^ (1n << BigInt(bit)), bits);
    const signed = (bits: bigint) => BigInt.asIntN(64, bits);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 6 }),
        (fingerprint, bits) => {
          const other = signed(flip(fingerprint, ...bits));
          const isRepeated = createRepetitions();
          expect(isRepeated(signed(fingerprint))).toBe(false);
          expect(isRepeated(other)).toBe(bits.length <= 3);
        },
      ),
    );
  });

  it('are told by their fingerprints alone: posts without one all stay', () => {
    const isRepeated = createRepetitions();
    expect([null, null, 1n, 1n].map((one) => isRepeated(one))).toEqual([false, false, false, true]);
  });
});

describe('sponsored posts', () => {
  const show = (organic: number, sponsored: string[], size = 20, turn = 0) =>
    placeSponsored(
      Array.from({ length: organic }, (_, i) => i),
      sponsored,
      size,
      turn,
    ).map((slot) => ('organic' in slot ? slot.organic : `${slot.sponsored}<${slot.behind}`));

  it('stand third, eighth and fifteenth, and the page keeps its size', () => {
    const page = show(20, ['a', 'b', 'c', 'd']);
    expect(page).toHaveLength(20);
    expect([page[2], page[7], page[14]]).toEqual(['a<1', 'b<5', 'c<11']);
    expect(page.filter((slot) => typeof slot === 'number')).toEqual(Array.from({ length: 17 }, (_, i) => i));
  });

  it('stand only where as many posts stand before them', () => {
    expect(show(1, ['a'])).toEqual([0]);
    expect(show(0, ['a'])).toEqual([]);
    expect(show(2, ['a', 'b'])).toEqual([0, 1, 'a<1']);
    expect(show(5, ['a', 'b'], 2)).toEqual([0, 1]);
    expect(show(5, ['a', 'b'], 3)).toEqual([0, 1, 'a<1']);
  });

  it('take turns', () => {
    expect([0, 1, 2].map((turn) => show(3, ['a', 'b'], 3, turn)[2])).toEqual(['a<1', 'b<1', 'a<1']);
  });
});

/** What it means that a keyword stands in a text, one place after the other. */
function findsNaively(keyword: string, content: string): boolean {
  const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ').replaceAll(/\s+/g, ' ');
  const [sought, text] = [fold(keyword).trim(), fold(content)];
  const joins = (outer: string | undefined, inner: string): boolean =>
    outer !== undefined && /[abcσ世]/.test(outer) && inner !== '世';
  return [...text].some(
    (_, at) =>
      sought !== '' &&
      text.startsWith(sought, at) &&
      !joins(text[at - 1], sought.at(0)!) &&
      !joins(text[at + sought.length], sought.at(-1)!),
  );
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Relations } from '../../src/domains/feed/graph/relations.js';
import { findsMutedKeyword } from '../../src/domains/feed/read/muted-keywords.js';
import { repeatedAmong } from '../../src/domains/feed/read/near-duplicates.js';
import { mayBeShown, mayStay, type View } from '../../src/domains/feed/read/rules.js';
import { placeSponsored } from '../../src/domains/feed/read/sponsored-slots.js';
import { cpuTimeOf } from '../support/cpu-time.js';
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
  it('shows own posts and those of users whom the reader follows, and no others', () => {
    expect(mayStay(alone(postOf('ann')), view())).toBe(true);
    expect(mayStay(alone(postOf('me', { visibility: 'private' })), view())).toBe(true);
    expect(mayStay(alone(postOf('cat')), view())).toBe(false);
    expect(mayBeShown(alone(postOf('cat')), view())).toBe(true);
  });

  it('keeps private posts and what muted or blocked people say out, also where it is sponsored', () => {
    const secret = alone(postOf('ann', { visibility: 'private' }));
    const muted = view({ muted: new Set(['ann']) });
    const blocked = view({ blocked: new Set(['ann']) });
    for (const allows of [mayStay, mayBeShown]) {
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
    ['c++', 'C++17 is out', true],
    ['c++', 'abc++', false],
    ['🍕', 'Pizza🍕', true],
    ['🍕', '🍕🍕and more', true],
    ['❤️', 'I❤you', true],
    ['❤', 'I❤️you', true],
    ['ℹ️', 'I am', false],
    ['$TSLA', 'buy$TSLA', true],
    ['$TSLA', '$TSLAQ', false],
    ['-ism', 'realism', false],
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

  it('of symbols alone is found wherever they stand, and of letters alone only as whole words', () => {
    const of = (...characters: string[]) => fc.string({ unit: fc.constantFrom(...characters), maxLength: 6 });
    const symbols = of('🍕', '👍🏽', '❤️', '+', '#', '€').filter((text) => text !== '');
    const letters = of('a', 'É', 'ß', '7', '_').filter((text) => text !== '');
    fc.assert(
      fc.property(symbols, letters, letters, (keyword, before, behind) => {
        expect(finds(keyword, `${before}${keyword}${behind}`)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(letters, of('x', '8'), of('x', '8'), symbols, (keyword, before, behind, symbol) => {
        const isWhole = before === '' && behind === '';
        expect(finds(keyword, `${symbol}${before}${keyword}${behind}${symbol}`)).toBe(isWhole);
      }),
    );
  });

  it('is found among others, wherever it stands', () => {
    const text = fc
      .array(fc.constantFrom('a', 'B', 'c', ' ', '-', '🍕', '❤', '\ufe0f', '世', 'Σ'), { maxLength: 12 })
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
    const spent = cpuTimeOf(() => {
      for (let posts = 0; posts < 20; posts += 1) expect(finder(content)).toBe(false);
    });
    // About 20 ms; with a regular expression, minutes.
    expect(spent).toBeLessThan(1_000);
  });
});

const said = (fingerprint: bigint | null, at: number) => ({
  source: 'FANOUT' as const,
  post: postOf('ann', { fingerprint, createdAt: new Date(at) }),
});

describe('near-identical posts', () => {
  it('leave the first one, and differ in at most three bits of its fingerprint', () => {
    const flip = (bits: bigint, ...at: number[]) =>
      at.reduce((value, bit) => value ^ (1n << BigInt(bit)), bits);
    const signed = (bits: bigint) => BigInt.asIntN(64, bits);
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.uniqueArray(fc.integer({ min: 0, max: 63 }), { maxLength: 6 }),
        (fingerprint, bits) => {
          const other = signed(flip(fingerprint, ...bits));
          const [first, second] = [said(signed(fingerprint), 1), said(other, 2)];
          expect([...repeatedAmong([second, first])]).toEqual(bits.length <= 3 ? [second] : []);
        },
      ),
    );
  });

  it('are found by their fingerprints alone: posts without one all stay, and so do the reader’s own', () => {
    const posts = [said(null, 1), said(null, 2), said(1n, 3), said(1n, 4)];
    expect([...repeatedAmong(posts)]).toEqual([posts[3]]);
    const own = posts.map((one) => ({ ...one, source: 'OWN' as const }));
    expect([...repeatedAmong(own)]).toEqual([]);
  });

  it('leave the one that clearly more people reacted to, else the earliest; but never what was shown', () => {
    const reactedTo = (at: number, like: number, love = 0) => {
      const one = said(1n, at);
      return {
        ...one,
        post: { ...one.post, reactionCounts: { ...one.post.reactionCounts, LIKE: like, LOVE: love } },
      };
    };
    const [original, copy] = [said(1n, 1), said(1n, 2)];
    expect([...repeatedAmong([copy, original])]).toEqual([copy]);
    expect([...repeatedAmong([original], [copy])]).toEqual([original]);
    for (const [before, after, hides] of [
      [0, 2, false],
      [0, 3, true],
      [3, 5, false],
      [3, 6, true],
      [100, 190, false],
      [100, 200, true],
    ] as const) {
      const [earlier, later] = [reactedTo(1, before), reactedTo(2, after - 1, 1)];
      expect([...repeatedAmong([later, earlier])]).toEqual([hides ? earlier : later]);
    }
  });

  it('are not hidden by a copy whose author comments on it, shares it and reacts to it', () => {
    const [original, copy] = [said(1n, 1), said(1n, 2)];
    const reactionCounts = { ...copy.post.reactionCounts, LIKE: 1 };
    const pushed = { ...copy, post: { ...copy.post, commentCount: 500, shareCount: 500, reactionCounts } };
    expect([...repeatedAmong([original, pushed])]).toEqual([pushed]);
  });

  it('cost little where hundreds say the same', () => {
    for (const different of [0n, 1n, 0b111n]) {
      const posts = Array.from({ length: 300 }, (_, at) => said(at % 2 === 0 ? 5n : 5n ^ different, at));
      repeatedAmong(posts);
      let left: ReadonlySet<unknown> = new Set();
      // Below 1 ms; with a list of all pairs, seconds.
      expect(
        cpuTimeOf(() => {
          left = repeatedAmong(posts);
        }),
      ).toBeLessThan(5);
      expect(left.size).toBe(299);
    }
    // Alike in a quarter, and nowhere else.
    const apart = Array.from({ length: 300 }, (_, at) => said((BigInt(at) * 0x123456789abn) << 16n, at));
    expect(cpuTimeOf(() => repeatedAmong(apart))).toBeLessThan(20);
  });

  it('are the same whatever order the posts come in, also where likeness goes from one to the next', () => {
    const chain = [0b0n, 0b111n, 0b111111n, 0b1n].map((bits, at) => said(bits, at));
    const expected = new Set(repeatedAmong(chain));
    fc.assert(
      fc.property(fc.shuffledSubarray(chain, { minLength: chain.length }), (shuffled) => {
        expect(new Set(repeatedAmong(shuffled))).toEqual(expected);
      }),
    );
    expect(expected).toEqual(new Set([chain[1], chain[3]]));
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
  const fold = (text: string): string =>
    text
      .replaceAll(/(?<![aBcΣ世]|\ufe0f)\ufe0f+/gu, '')
      .toLowerCase()
      .replaceAll('ς', 'σ')
      .replaceAll(/\s+/g, ' ');
  const [sought, text] = [[...fold(keyword).trim()], [...fold(content)]];
  const joins = (outer: string | undefined, inner: string | undefined): boolean =>
    outer !== undefined && 'abcσ世\ufe0f'.includes(outer) && 'abcσ\ufe0f'.includes(inner ?? '');
  return text.some(
    (_, at) =>
      sought.length > 0 &&
      sought.every((character, index) => text[at + index] === character) &&
      !joins(text[at - 1], sought[0]) &&
      !joins(text[at + sought.length], sought.at(-1)),
  );
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContentPolicy } from '../../src/domains/feed/posts/content-policy.js';
import { fingerprintOf } from '../../src/domains/feed/posts/fingerprint.js';

const words = fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 40, maxLength: 80 });

const bitsApart = (a: bigint, b: bigint): number =>
  BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length;

describe('a fingerprint', () => {
  it('does not see case, punctuation and white space', () => {
    const text = 'The quick brown fox jumps over the lazy dog';
    expect(fingerprintOf(' the QUICK, brown fox…\njumps over the lazy dog!')).toBe(fingerprintOf(text));
  });

  it('says nothing of fewer than five words', () => {
    expect(fingerprintOf('good morning to you')).toBeNull();
    expect(fingerprintOf('')).toBeNull();
    expect(fingerprintOf('good morning to all you')).not.toBeNull();
  });

  it('fits a bigint column, and is the same in every process', () => {
    fc.assert(
      fc.property(words, (some) => {
        const fingerprint = fingerprintOf(some.join(' '))!;
        return BigInt.asIntN(64, fingerprint) === fingerprint;
      }),
    );
    expect(fingerprintOf('one two three four five six seven')).toBe(
      fingerprintOf('one two three four five six seven'),
    );
  });

  it('keeps a text with one word changed nearer than another text', () => {
    fc.assert(
      fc.property(words, words, fc.nat(), (text, other, at) => {
        const changed = text.with(at % text.length, 'different');
        const [a, b, c] = [text, changed, other].map((some) => fingerprintOf(some.join(' '))!) as [
          bigint,
          bigint,
          bigint,
        ];
        return bitsApart(a, b) < bitsApart(a, c) || other.join() === text.join();
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe('content policy', () => {
  const policy = createContentPolicy();

  it('labels a text by its words, in any case and script form', () => {
    expect(policy('Win the JACKPOT today')).toEqual(['gambling']);
    expect(policy('ｎｓｆｗ, and a casino')).toEqual(['adult', 'gambling']);
  });

  it('does not find a word inside another', () => {
    expect(policy('Essexxxit and gorey')).toEqual([]);
  });

  it('names the variable where its file is missing or wrong', () => {
    expect(() => createContentPolicy('/nowhere.yaml')).toThrow(/FEED_CONTENT_POLICY/);
    expect(() => createContentPolicy(new URL('../../rules/default.yaml', import.meta.url))).toThrow(
      /FEED_CONTENT_POLICY/,
    );
  });
});

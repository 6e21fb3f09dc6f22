import { describe, expect, it } from 'vitest';
import { termsOf, termsOfFilter } from '../../src/domains/notifications/search/terms.js';
import { wordsOf } from '../../src/domains/notifications/search/words.js';
import { cpuTimeOf } from '../support/cpu-time.js';

describe('the words of a text', () => {
  it.each([
    ['Your order 123 has shipped!', ['your', 'order', '123', 'has', 'shipped']],
    ['Ada.Lovelace+news@Example.COM', ['ada', 'lovelace', 'news', 'example', 'com']],
    ['+15551234567', ['15551234567']],
    ['Über Café, œuvre', ['uber', 'cafe', 'œuvre']],
    ['again and again', ['again', 'and']],
    ['東京です', ['東', '京', 'て', 'す']],
    ['नमस्ते', ['नमसत']],
    ['ﬁne ½', ['fine', '1', '2']],
    ['— … !', []],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each(['\u0345'.repeat(10_000) + '\u0334'.repeat(10_000), '\u0301\u0323'.repeat(10_000)])(
    'cost little to find behind any run of marks',
    (marks) => {
      expect(wordsOf(`a${marks} b`)).toEqual(['a', 'b']);
      // Below 10 ms; normalised as one run it takes more than a second.
      expect(cpuTimeOf(() => wordsOf(`a${marks}`))).toBeLessThan(300);
    },
  );

  it('are cut where they are longer than 64 characters, in texts and in queries alike', () => {
    expect(wordsOf('x'.repeat(80))).toEqual(['x'.repeat(64)]);
    expect(wordsOf(`a${'𝒳'.repeat(80)}`)[0]!.isWellFormed()).toBe(true);
  });
});

describe('the terms of a delivery', () => {
  const about = {
    userId: "o'neil",
    channel: 'email',
    notificationType: 'ORDER_SHIPPED',
    producer: 'shop',
  } as const;

  it('are those of every filter, and the words of its text and address, each once', () => {
    const content = { subject: 'Order shipped', body: 'Order 7', htmlBody: '<b>never</b>' };
    expect(termsOf({ ...about, content, address: 'ada@example.com' })).toEqual([
      ...["uo'neil", 'pshop', 'tORDER_SHIPPED', 'cemail'],
      ...['wada', 'wexample', 'wcom', 'worder', 'wshipped', 'w7'],
    ]);
    expect(termsOf({ ...about, content: {}, address: null })).toEqual(termsOfFilter(about));
  });

  it('are 1,000 words at most, however long its text is', () => {
    const body = Array.from({ length: 5_000 }, (_, n) => `word${n}`).join(' ');
    expect(termsOf({ ...about, content: { body }, address: null })).toHaveLength(1_004);
  });

  it('of a filter are those of what it names alone', () => {
    expect(termsOfFilter({ channel: 'sms' })).toEqual(['csms']);
    expect(termsOfFilter({})).toEqual([]);
  });
});

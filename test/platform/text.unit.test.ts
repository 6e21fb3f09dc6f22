import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inForm, isBlank, toStoredText } from '../../src/platform/text.js';
import { cpuTimeOf } from '../support/cpu-time.js';

describe('a text', () => {
  it.each([
    ['nothing', ''],
    ['spaces and line breaks', ' \t\r\n\u00a0\u3000\u2028'],
    ['zero-width characters', '\u200b\u200c\u200d\u2060\ufeff'],
    ['fillers of Hangul', '\u3164\uffa0\u115f'],
    ['variation selectors and tags', '\ufe0f\u{e0100}\u{e0061}'],
    ['soft hyphens and direction marks', '\u00ad\u200e\u202e'],
  ])('of %s is blank, and stored as empty, however long', (_, text) => {
    expect(isBlank(text)).toBe(true);
    expect(toStoredText(text, 1)).toBe('');
  });

  it('with anything to see keeps all that it has, in form NFC', () => {
    expect(isBlank('👩\u200d👧')).toBe(false);
    expect(toStoredText(' 👩\u200d👧 ', 10)).toBe(' 👩\u200d👧 ');
    expect(toStoredText('cafe\u0301', 10)).toBe('caf\u00e9');
  });

  it('is normalised where its form NFC may be short enough, and left as it is where it is too long in any case', () => {
    expect(toStoredText('e\u0301'.repeat(5), 5)).toBe('\u00e9'.repeat(5));
    expect(toStoredText('e\u0301'.repeat(6), 5)).toBe('e\u0301'.repeat(6));
  });

  it('is normalised around a run of more than 30 combining marks, which stays as it is', () => {
    const longest = `a${'\u0301\u0316'.repeat(15)}`;
    expect(inForm(longest, 'NFC')).toBe(longest.normalize('NFC'));
    const longer = `${'\u0301\u0316'.repeat(15)}\u0301`;
    expect(inForm(`e\u0301 a${longer} e\u0301`, 'NFC')).toBe(`\u00e9 a${longer} \u00e9`);
  });

  it('is normalised by nothing else, since that takes a run of marks quadratic time', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.includes('generated'),
    );
    expect(files.length).toBeGreaterThan(500);
    const calling = files.filter((file) => readFileSync(`src/${file}`, 'utf8').includes('.normalize('));
    expect(calling).toEqual(['platform/text.ts']);
  });

  it.each([
    ['one run of marks', (units: number) => `a${'\u0301'.repeat(units / 2)}${'\u0316'.repeat(units / 2)}`],
    ['marks that are two', (units: number) => '\u0f73\u0316'.repeat(units / 2)],
    ['marks in turns', (units: number) => '\u0316\u0301'.repeat(units / 2)],
    ['marks that NFKC makes', (units: number) => '\uff9e\u0334'.repeat(units / 2)],
    ['runs as long as may be', (units: number) => `a${'\u0f73\u0301'.repeat(15)}`.repeat(units / 31)],
    ['notes that become three', (units: number) => '\u{1d160}'.repeat(units / 2)],
  ])('costs little to normalise where it is made of %s', (_, textOf) => {
    // 1 to 30 ms; one run takes native normalising 5 s.
    for (const form of ['NFC', 'NFKC', 'NFKD'] as const)
      expect(cpuTimeOf(() => inForm(textOf(100_000), form))).toBeLessThan(300);
    expect(cpuTimeOf(() => toStoredText(textOf(2 ** 20), 5_000))).toBeLessThan(300);
  });
});

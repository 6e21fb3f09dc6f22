import { describe, expect, it } from 'vitest';
import * as rules from '../../src/domains/commerce/rules.js';

const ofOneLine = [
  rules.firstNameRule,
  rules.lastNameRule,
  rules.productNameRule,
  rules.streetRule,
  rules.cityRule,
  rules.zipRule,
  rules.countryRule,
  rules.referenceRule,
  rules.trackingNumberRule,
];
const ofSeveralLines = [rules.descriptionRule, rules.reasonRule];
const belying = [0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069];

describe('text', () => {
  it.each([...ofOneLine, ...ofSeveralLines])(
    '$code: has nothing in it that belies how it reads',
    ({ shape }) => {
      for (const code of belying) {
        expect(`U+${code.toString(16)} ${shape.test(`a${String.fromCodePoint(code)}b`)}`).toMatch(/false$/);
      }
    },
  );

  it.each([...ofOneLine, ...ofSeveralLines])('$code: may be of any script', ({ shape }) => {
    for (const text of ['Ünal-Ø’Neil', 'שלום', '東京', '👩🏽‍🚀'.slice(0, 4)])
      expect(shape.test(text)).toBe(true);
  });

  it('breaks lines only where it is prose', () => {
    for (const { shape } of ofOneLine) expect(shape.test('a\nb')).toBe(false);
    for (const { shape } of ofSeveralLines) expect(shape.test('a\nb')).toBe(true);
    for (const { shape } of [...ofOneLine, ...ofSeveralLines]) {
      for (const text of ['a\0', 'a\ud800', 'x'.repeat(501)]) expect(shape.test(text)).toBe(false);
    }
  });
});

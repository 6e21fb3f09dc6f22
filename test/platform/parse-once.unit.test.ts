import { expect, it } from 'vitest';
import { parseOnce } from '../../src/platform/parse-once.js';

it('parses a text once for an id, and anew as soon as it is another', () => {
  const parsed: string[] = [];
  const parse = parseOnce((text) => {
    parsed.push(text);
    return { text };
  });
  const first = parse('a', '1');
  expect(parse('a', '1')).toBe(first);
  expect(parse('b', '1')).toEqual({ text: '1' });
  expect(parse('a', '2')).toEqual({ text: '2' });
  expect(parse('a', '1')).toEqual({ text: '1' });
  expect(parsed).toEqual(['1', '1', '2', '1']);
});

it('gives out what is too long to be remembered', () => {
  const parse = parseOnce((text) => ({ length: text.length }));
  const long = 'x'.repeat(20_000_000);
  expect(parse('a', 'x')).toEqual({ length: 1 });
  expect(parse('a', long)).toEqual({ length: 20_000_000 });
  expect(parse('a', 'x')).toEqual({ length: 1 });
});

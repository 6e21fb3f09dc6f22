import { expect, it } from 'vitest';
import { type ParseOnce, parseOnce } from '../../src/platform/cache/parse-once.js';

const given = <Value>(memory: ParseOnce<Value>, id: string, text: string): Value =>
  memory.parse(memory.of('key:', id), Buffer.from(text));

it('parses a text once for an id, and anew as soon as it is another', () => {
  const parsed: string[] = [];
  const memory = parseOnce((text) => {
    parsed.push(text);
    return { text };
  });
  const first = given(memory, 'a', '1');
  expect(given(memory, 'a', '1')).toBe(first);
  expect(given(memory, 'b', '1')).toEqual({ text: '1' });
  expect(given(memory, 'a', 'é')).toEqual({ text: 'é' });
  expect(given(memory, 'a', '1')).toEqual({ text: '1' });
  expect(parsed).toEqual(['1', '1', 'é', '1']);
});

it('remembers what was there, whatever becomes of the bytes that it was read from', () => {
  const memory = parseOnce((text) => ({ text }));
  const bytes = Buffer.from('before');
  const before = memory.parse(memory.of('key:', 'a'), bytes);
  bytes.write('after!');
  expect(memory.parse(memory.of('key:', 'a'), bytes)).toEqual({ text: 'after!' });
  expect(before).toEqual({ text: 'before' });
});

it('gives the same to all who looked up before one of them parsed', () => {
  const parsed: string[] = [];
  const memory = parseOnce((text) => {
    parsed.push(text);
    return { text };
  });
  const readers = [memory.of('key:', 'a'), memory.of('key:', 'a')];
  const [first, second] = readers.map((known) => memory.parse(known, Buffer.from('1')));
  expect(second).toBe(first);
  expect(parsed).toEqual(['1']);
});

it('knows nothing of what is kept under another prefix', () => {
  const memory = parseOnce((text) => ({ text }));
  given(memory, 'a', '1');
  expect(memory.of('key:', 'a')).toMatchObject({ key: 'key:a', last: { value: { text: '1' } } });
  expect(memory.of('other:', 'a')).toMatchObject({ key: 'other:a', last: null });
});

it('gives out what is too long to be remembered', () => {
  const memory = parseOnce((text) => ({ length: text.length }));
  const long = 'x'.repeat(20_000_000);
  expect(given(memory, 'a', 'x')).toEqual({ length: 1 });
  expect(given(memory, 'a', long)).toEqual({ length: 20_000_000 });
  expect(given(memory, 'a', 'x')).toEqual({ length: 1 });
});

import { expect, test } from 'vitest';
import { KeptBodies } from '../../../src/edge/http/kept-bodies.js';

const keep = (bodies: KeptBodies, text: string) => bodies.keep(text, JSON.parse(text));

test('a body whose text comes again is the same object, in which nothing can be changed', () => {
  const bodies = new KeptBodies();
  const text = '{"query":"{ hello }","variables":{"name":"x"},"extensions":{"clientLibrary":{"name":"y"}}}';
  const body = keep(bodies, text) as {
    variables: { name: string };
    extensions: { clientLibrary: { name: string } };
  };
  expect(bodies.get(text)).toBe(body);
  expect(body).toEqual(JSON.parse(text));
  expect(() => Object.assign(body, { query: '{ other }' })).toThrow(TypeError);
  expect(() => Object.assign(body.variables, { name: 'z' })).toThrow(TypeError);
  expect(() => Object.assign(body.extensions.clientLibrary, { name: 'z' })).toThrow(TypeError);
});

test.each([
  ['whose variables hold a list', '{"query":"q","variables":{"ids":["a"]}}'],
  ['whose variables hold an object', '{"query":"q","variables":{"input":{"a":1}}}'],
  ['whose text is long', JSON.stringify({ query: 'q'.repeat(9_000) })],
  ['that is no object', '"text"'],
])('a body %s is not kept, and may be changed', (_, text) => {
  const bodies = new KeptBodies();
  const body = keep(bodies, text);
  expect(bodies.get(text)).toBeUndefined();
  expect(typeof body === 'object' && Object.isFrozen(body)).toBe(false);
});

test('a body may nest as deep as its text allows', () => {
  const bodies = new KeptBodies();
  const text = `{"query":"q","extensions":${'['.repeat(4_000)}${']'.repeat(4_000)}}`;
  const body = keep(bodies, text);
  expect(bodies.get(text)).toBe(body);
});

test('bodies are kept within a bound, those in use longest', () => {
  const bodies = new KeptBodies();
  const texts = Array.from({ length: 2_000 }, (_, n) => `{"query":"{ number(value: ${n}) }"}`);
  for (const text of texts) {
    keep(bodies, text);
    bodies.get(texts[0]!);
  }
  const kept = texts.filter((text) => bodies.get(text));
  expect(kept).toHaveLength(1_000);
  expect(kept).toContain(texts[0]);
});

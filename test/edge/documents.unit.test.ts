import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../src/edge/document-limits.js';
import { createDocuments } from '../../src/edge/documents.js';
import { createMasking } from '../../src/edge/errors.js';
import { createEdgeMetrics } from '../../src/edge/metrics.js';

const schema = buildSchema('type Query { me: User } type User { id: ID name: String friend: User }');
schema.getQueryType()!.getFields().me!.resolve = () => ({ id: '1', name: 'Ann' });

function open() {
  let compiled = 0;
  const onCompiled = (): void => {
    compiled += 1;
  };
  const metrics = { ...createEdgeMetrics(new Registry()), compiled: onCompiled };
  const masking = createMasking({ ids: { next: () => 'id' }, suggestions: false, onMasked: () => undefined });
  const documents = createDocuments({
    schema,
    limits: defaultLimits,
    introspection: false,
    masking,
    metrics,
  });
  return {
    compiled: () => compiled,
    refusal(source: string, operationName?: string) {
      const prepared = documents.prepare(source, operationName);
      return prepared.ok ? undefined : prepared.error.extensions.code;
    },
    async run(source: string) {
      const prepared = documents.prepare(source, null);
      if (!prepared.ok) throw prepared.error;
      return await prepared.operation.run(undefined, undefined, { raw: {}, coerced: {} });
    },
  };
}

const aliased = (count: number, selection: string): string =>
  `{ ${Array.from({ length: count }, (_, i) => `a${i}: me { ${selection} }`).join(' ')} }`;

describe('documents', () => {
  test('that are sent once are never compiled; from the second use on they are, once', async () => {
    const documents = open();
    const answer = { data: { me: { id: '1', name: 'Ann' } } };
    expect(await documents.run('{ me { id name } }')).toEqual(answer);
    expect(documents.compiled()).toBe(0);
    for (let use = 2; use <= 4; use += 1) expect(await documents.run('{ me { id name } }')).toEqual(answer);
    expect(documents.compiled()).toBe(1);
    for (let i = 0; i < 100; i += 1) await documents.run(`query Q${i} { me { id } }`);
    expect(documents.compiled()).toBe(1);
  });

  test('are compiled after as many uses as their size deserves', async () => {
    const documents = open();
    const source = aliased(10, 'id name '.repeat(10));
    for (let use = 1; use <= 5; use += 1) await documents.run(source);
    expect(documents.compiled()).toBe(0);
    await documents.run(source);
    expect(documents.compiled()).toBe(1);
  });

  test('that are very large are never compiled, however often they are sent', async () => {
    const documents = open();
    const large = aliased(20, 'id name '.repeat(10));
    for (let use = 1; use <= 20; use += 1) expect((await documents.run(large)).errors).toBeUndefined();
    expect(documents.compiled()).toBe(0);
  });

  test('are compiled again once others took their place: what is compiled is bounded by its fields', async () => {
    const documents = open();
    const nth = (n: number) => `query Q${n} ${aliased(13, 'id name '.repeat(10))}`;
    for (let n = 0; n < 30; n += 1) for (let use = 1; use <= 7; use += 1) await documents.run(nth(n));
    expect(documents.compiled()).toBe(30);
    await documents.run(nth(29));
    expect(documents.compiled()).toBe(30);
    await documents.run(nth(0));
    expect(documents.compiled()).toBe(31);
  });

  test('are judged at once, whatever hides in their other operations and unused fragments', () => {
    const documents = open();
    const body = Array.from({ length: 150 }, (_, i) => `friend { n${i % 20}: name }`).join(' ');
    const unused = `{ me { id } } fragment A on User { ${body} } fragment B on User { ${body} ...A }`;
    const other = `query A { me { id } } query B ${aliased(19, '...F')} fragment F on User { ${'id name '.repeat(40)} }`;
    const started = performance.now();
    expect(documents.refusal(unused)).toBe('GRAPHQL_VALIDATION_FAILED');
    // Generous for a busy machine.
    expect(performance.now() - started).toBeLessThan(200);
    expect(documents.refusal(other, 'A')).toBe('QUERY_TOO_COSTLY');
  });
});

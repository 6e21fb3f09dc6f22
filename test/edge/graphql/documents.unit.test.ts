import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createMasking } from '../../../src/edge/errors.js';
import { defaultLimits } from '../../../src/edge/graphql/document-limits.js';
import { createDocuments } from '../../../src/edge/graphql/documents.js';
import { KeptPlans } from '../../../src/edge/graphql/kept-plans.js';
import { createEdgeMetrics } from '../../../src/edge/metrics.js';
import { cpuTimeOf } from '../../support/cpu-time.js';

const schema = buildSchema('type Query { me: User } type User { id: ID name: String friend: User }');
schema.getQueryType()!.getFields().me!.resolve = () => ({ id: '1', name: 'Ann' });

function open() {
  const metrics = createEdgeMetrics(new Registry());
  const masking = createMasking({ ids: { next: () => 'id' }, suggestions: false, onMasked: () => undefined });
  const documents = createDocuments({
    schema,
    limits: defaultLimits,
    introspection: false,
    masking,
    metrics,
    plans: new KeptPlans(),
  });
  return {
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
  test('answer alike however often they are sent', async () => {
    const documents = open();
    const answer = { data: { me: { id: '1', name: 'Ann' } } };
    for (let use = 1; use <= 200; use += 1) expect(await documents.run('{ me { id name } }')).toEqual(answer);
  });

  test('are judged at once, whatever hides in their other operations and unused fragments', () => {
    const documents = open();
    const body = Array.from({ length: 150 }, (_, i) => `friend { n${i % 20}: name }`).join(' ');
    const unused = `{ me { id } } fragment A on User { ${body} } fragment B on User { ${body} ...A }`;
    const other = `query A { me { id } } query B ${aliased(19, '...F')} fragment F on User { ${'id name '.repeat(40)} }`;
    const judge = () => expect(documents.refusal(unused)).toBe('GRAPHQL_VALIDATION_FAILED');
    // About 30 ms; without bounds, minutes.
    expect(cpuTimeOf(judge)).toBeLessThan(1_000);
    expect(documents.refusal(other, 'A')).toBe('QUERY_TOO_COSTLY');
  });
});

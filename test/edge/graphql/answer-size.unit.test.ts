import fc from 'fast-check';
import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isAbstractType,
  isListType,
  isObjectType,
  isScalarType,
  parse,
  validate,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { operationCost } from '../../../src/edge/graphql/cost.js';
import { defaultLimits } from '../../../src/edge/graphql/document-limits.js';
import { createRunner } from '../../../src/edge/graphql/runner.js';
import { fragmentsOf } from '../../../src/edge/graphql/shape.js';
import { buildApiSchema } from '../../../src/schema/build.js';
import { drawDocument } from '../random-document.js';

const LIMIT = 200_000;
/** What JSON makes most of, short of one that is measured, and long. */
const TEXTS = ['\u0001'.repeat(900), '🙂"\n'.repeat(10_000), 'x'.repeat(30_000)];

let schema: GraphQLSchema;
let made = 0;
beforeAll(async () => {
  schema = await buildApiSchema();
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) type.resolveType = () => schema.getPossibleTypes(type)[0]!.name;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      Object.assign(field, { resolve: () => madeOf(field.type) });
  }
  for (const type of Object.values(schema.getTypeMap()))
    if (isScalarType(type) && !['Int', 'Float', 'Boolean'].includes(type.name))
      type.serialize = (value) => value;
});

/** Every list is long and every text large. */
function madeOf(declared: GraphQLOutputType): unknown {
  const type = getNullableType(declared);
  if (isListType(type)) return Array.from({ length: 20 }, () => madeOf(type.ofType));
  if (isObjectType(type) || isAbstractType(type)) return {};
  if (type.name === 'Int' || type.name === 'Float') return 1;
  if (type.name === 'Boolean') return true;
  if (!isScalarType(type)) return type.getValues()[0]?.value;
  made += 1;
  const text = TEXTS[made % TEXTS.length]!;
  return type.name === 'JSONObject' ? { text, list: [text] } : text;
}

describe('an answer', () => {
  it('is never larger than its limit, whatever is asked: past it there is only the error, and little was made', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const { source, variables } = drawDocument(schema, String(seed));
        const document = parse(source);
        if (validate(schema, document, undefined, { maxErrors: 1 }).length > 0) return;
        const node = getOperationAST(document)!;
        const { coerced } = getVariableValues(schema, node.variableDefinitions ?? [], variables);
        if (!coerced) return;
        made = 0;
        const run = createRunner(schema, node, fragmentsOf(document), LIMIT);
        const { data, errors } = await run({}, {}, { raw: variables, coerced });
        expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(LIMIT);
        if (data !== null || !errors?.some(({ message }) => message.includes('more than'))) return;
        ended += 1;
        expect(errors).toHaveLength(1);
        expect(errors[0]?.originalError).toMatchObject({ code: 'RESPONSE_TOO_LARGE' });
        // Each text counts 900 characters at least, and a list's items are made at once.
        expect(made).toBeLessThan(1_000);
      }),
      { numRuns: 400 },
    );
    expect(ended).toBeGreaterThan(20);
  });

  it('of one thing asked for often, with all of its long texts, is refused by its cost', () => {
    const cost = (source: string) => {
      const document = parse(source);
      expect(validate(schema, document)).toEqual([]);
      const operation = getOperationAST(document)!;
      return operationCost({ schema, operation, fragments: fragmentsOf(document), variables: {} });
    };
    const ids = Array(48).fill('"Post:1"').join();
    expect(cost(`{ nodes(ids: [${ids}]) { ... on Post { edits { content } } } }`)).toBeGreaterThan(
      defaultLimits.maxCost,
    );
    const page = '{ edges { node { content author { displayName } likeCount } } pageInfo { endCursor } }';
    expect(cost(`{ feed(first: 100) ${page} }`)).toBeLessThan(defaultLimits.maxCost);
  });
});

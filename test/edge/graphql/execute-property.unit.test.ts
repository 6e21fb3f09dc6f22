import fc from 'fast-check';
import { type GraphQLSchema, getOperationAST, getVariableValues, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApiSchema } from '../../../src/schema/build.js';
import { hostile, hostileSchema } from '../hostile-schema.js';
import { drawDocument } from '../random-document.js';
import { byGraphqlJs, byUsInTurn } from '../two-ways.js';

// graphql-js lets go of promises in a list that an error ended: their rejections are nobody's.
const ours = (): void => undefined;
let others: NodeJS.UnhandledRejectionListener[];
beforeAll(() => {
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', ours);
});
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve));
  process.off('unhandledRejection', ours);
  for (const listener of others) process.on('unhandledRejection', listener);
});

async function compare(schema: GraphQLSchema, seed: string): Promise<void> {
  const { source, variables, otherVariables } = drawDocument(schema, seed);
  const document = parse(source);
  // Some that are drawn are not valid: others are drawn in their place.
  fc.pre(validate(schema, document, undefined, { maxErrors: 1 }).length === 0);
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  for (const given of [variables, otherVariables])
    fc.pre(!getVariableValues(schema, definitions, given).errors);
  const expected = await byGraphqlJs({ schema, document, variables });
  const expectedOfOther = await byGraphqlJs({ schema, document, variables: otherVariables });
  const requests = [variables, otherVariables, variables, otherVariables];
  for (const [at, came] of (await byUsInTurn({ schema, document }, requests)).entries())
    expect(came, source).toEqual(at % 2 === 0 ? expected : expectedOfOther);
}

/** Of one core this takes a minute; others may use it, too. */
const TIMEOUT_MS = 600_000;

describe('whatever is asked, and however often, the answer is that of graphql-js to the byte', () => {
  it.each<[string, () => GraphQLSchema | Promise<GraphQLSchema>, number]>([
    ['of a schema with every shape', () => hostileSchema(), 8_000],
    ['of the API', async () => hostile(await buildApiSchema()), 2_000],
  ])(
    '%s',
    async (_, build, numRuns) => {
      const schema = await build();
      await fc.assert(
        fc.asyncProperty(fc.nat(), (seed) => compare(schema, String(seed))),
        { numRuns },
      );
    },
    TIMEOUT_MS,
  );
});

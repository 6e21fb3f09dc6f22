import fc from 'fast-check';
import { type GraphQLSchema, getOperationAST, getVariableValues, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApiSchema } from '../../src/schema/build.js';
import { hostile, hostileSchema } from './hostile-schema.js';
import { drawDocument } from './random-document.js';
import { byGraphqlJs, byUs } from './two-ways.js';

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

/** @returns whether the document was one: some that are drawn are not valid */
async function compare(schema: GraphQLSchema, seed: string): Promise<boolean> {
  const { source, variables } = drawDocument(schema, seed);
  const document = parse(source);
  if (validate(schema, document, undefined, { maxErrors: 1 }).length > 0) return false;
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  if (getVariableValues(schema, definitions, variables).errors) return false;
  const asked = { schema, document, variables };
  const expected = await byGraphqlJs(asked);
  for (const came of await byUs(asked)) expect(came, source).toEqual(expected);
  return true;
}

/** Of one core this takes half a minute; others may use it, too. */
const TIMEOUT_MS = 600_000;

describe('whatever is asked, and however often, the answer is that of graphql-js to the byte', () => {
  it.each<[string, () => GraphQLSchema | Promise<GraphQLSchema>, number]>([
    ['of a schema with every shape', hostileSchema, 8_000],
    ['of the API', async () => hostile(await buildApiSchema()), 2_000],
  ])(
    '%s',
    async (_, build, numRuns) => {
      const schema = await build();
      let valid = 0;
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (seed) => {
          if (await compare(schema, String(seed))) valid += 1;
        }),
        { numRuns },
      );
      // What is drawn is worth its time.
      expect(valid).toBeGreaterThan(numRuns / 2);
    },
    TIMEOUT_MS,
  );
});

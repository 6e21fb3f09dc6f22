import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  parse,
  validate,
} from 'graphql';
import { expect } from 'vitest';
import { KeptPlans } from '../../src/edge/graphql/kept-plans.js';
import { createRunner } from '../../src/edge/graphql/runner.js';
import { fragmentsOf } from '../../src/edge/graphql/shape.js';

/** What came of an operation, to the byte, and the calls of resolvers in their order. */
export interface Came {
  readonly answer: string;
  readonly calls: readonly string[];
}

interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly root?: unknown;
}

/** How graphql-js answers. */
export async function byGraphqlJs({ schema, document, variables = {}, root }: Asked): Promise<Came> {
  const calls: string[] = [];
  const result = await execute({
    schema,
    document,
    rootValue: root,
    contextValue: { calls },
    variableValues: variables,
  });
  return { answer: written(result), calls: [...calls] };
}

/** How we answer: the first time, and once code was generated for every object, or in the midst of them. */
export const byUs = ({ variables = {}, ...asked }: Asked): Promise<Came[]> =>
  byUsInTurn(asked, [variables, variables]);

/** The same of several requests for one document, whose variables differ, one after the other. */
export async function byUsInTurn(
  { schema, document, root }: Omit<Asked, 'variables'>,
  requests: readonly Readonly<Record<string, unknown>>[],
): Promise<Came[]> {
  const node = getOperationAST(document)!;
  const came: Came[] = [];
  for (const generateAfter of [0, 3]) {
    const run = createRunner(
      schema,
      node,
      fragmentsOf(document),
      100_000_000,
      new KeptPlans({ generateAfter }),
    );
    for (const raw of requests) {
      const { coerced, errors } = getVariableValues(schema, node.variableDefinitions ?? [], raw);
      if (!coerced) throw new AggregateError(errors, 'bad variables');
      const calls: string[] = [];
      const result = await run(root, { calls }, { raw, coerced });
      came.push({ answer: written(result), calls: [...calls] });
    }
  }
  return came;
}

/** Runs a document both ways and holds the answers against each other. @returns the answer */
export async function answerOf(
  schema: GraphQLSchema,
  source: string,
  given: { readonly variables?: Record<string, unknown>; readonly root?: unknown } = {},
): Promise<{ data: Record<string, unknown> | null; errors?: { message: string }[] }> {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const asked = { schema, document, ...given };
  const expected = await byGraphqlJs(asked);
  for (const came of await byUs(asked)) expect(came).toEqual(expected);
  return JSON.parse(expected.answer) as Awaited<ReturnType<typeof answerOf>>;
}

function written(result: ExecutionResult): string {
  try {
    return JSON.stringify(result);
  } catch (error) {
    return String(error);
  }
}

import { type ExecutionResult, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { AnswerSize } from './answer-size.js';
import { CollectedErrors } from './collected-errors.js';
import type { Variables } from './cost.js';
import { execute } from './execute.js';
import { KeptPlans } from './kept-plans.js';
import { planOperation } from './plan.js';
import type { Fragments } from './shape.js';

/** The variables of one request, before and after graphql-js coerced them. */
export interface Values {
  readonly raw: Variables;
  readonly coerced: Variables;
}

/** Runs a query, a mutation, or the answer to one event of a subscription (`root`). */
export type Run = (
  root: unknown,
  context: unknown,
  values: Values,
) => Promise<ExecutionResult> | ExecutionResult;

/**
 * How to run an operation of a document that validated, as often as it comes: planned once, by need.
 *
 * @param maxBytes of an answer in JSON, its errors included; past it the answer is RESPONSE_TOO_LARGE
 * @param plans that are kept, of this operation and others
 */
export function createRunner(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  maxBytes: number,
  plans = new KeptPlans(),
): Run {
  const planFor = planOperation(schema, operation, fragments, plans);
  const named = Object.assign(Object.create(null), Object.fromEntries(fragments));
  return (root, context, { coerced: variables }) =>
    execute(
      {
        schema,
        operation,
        fragments: named,
        root,
        context,
        variables,
        size: new AnswerSize(maxBytes),
        errors: new CollectedErrors(),
      },
      () => planFor(variables),
    );
}

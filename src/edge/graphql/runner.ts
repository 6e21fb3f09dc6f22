import {
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql';
import { AnswerSize } from './answer-size.js';
import type { Variables } from './cost.js';
import { addError, executeField, isPromise } from './execute-fields.js';
import { KeptPlans } from './kept-plans.js';
import { type FieldPlan, type Fields, type ObjectPlan, planOperation } from './plan.js';
import { CollectedErrors, type Running } from './running.js';
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

/**
 * Runs a planned operation as graphql-js' `execute` does: the same calls of resolvers in the same order, the same data, the same
 * errors in the same order. Promises are chained as it chains them, since that decides which of two errors is first. An
 * answer past the limit of `run.size` ends as that error alone.
 *
 * @param plan gives the root's plan; what it throws is the answer's error
 */
function execute(run: Running, plan: () => ObjectPlan): ExecutionResult | Promise<ExecutionResult> {
  try {
    const isSerial = run.operation.operation === OperationTypeNode.MUTATION;
    const root = plan();
    const data = isSerial ? executeSerially(run, root) : root.execute(run, run.root, undefined);
    if (!isPromise(data)) return succeed(run, data);
    return data.then(
      (fields) => succeed(run, fields),
      (error: unknown) => fail(run, error),
    );
  } catch (error) {
    return fail(run, error);
  }
}

function succeed(run: Running, data: Fields): ExecutionResult {
  const { errors } = run.errors;
  return bounded(run, errors.length === 0 ? { data } : { errors, data });
}

function fail(run: Running, error: unknown): ExecutionResult {
  if (run.size.isExcess(error)) return tooLarge(error);
  try {
    addError(run, error as GraphQLError, undefined);
  } catch (excess) {
    return tooLarge(excess);
  }
  return bounded(run, { errors: run.errors.errors, data: null });
}

function bounded(run: Running, answer: ExecutionResult): ExecutionResult {
  try {
    run.size.check(answer);
    return answer;
  } catch (excess) {
    return tooLarge(excess);
  }
}

/** Without the answer's other errors, which may be many. */
const tooLarge = (excess: unknown): ExecutionResult => ({
  errors: [locatedError(excess, undefined)],
  data: null,
});

/** One field after the other, as mutations want it. */
function executeSerially(run: Running, plan: ObjectPlan): Fields | Promise<Fields> {
  const results = Object.create(null) as Fields;
  run.size.add(plan.size);
  let before: Fields | Promise<Fields> = results;
  for (const field of plan.fields)
    before = isPromise(before) ? before.then(() => executeNext(field)) : executeNext(field);
  return before;

  function executeNext(field: FieldPlan): Fields | Promise<Fields> {
    const keep = (value: unknown): Fields => {
      results[field.key] = value;
      return results;
    };
    const result = executeField(run, field, run.root, undefined);
    return isPromise(result) ? result.then(keep) : keep(result);
  }
}

import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  OperationTypeNode,
} from 'graphql';
import type { Variables } from './cost.js';
import type { Operation } from './documents.js';
import type { Masking, PresentedError } from './errors.js';
import { eventAnswers } from './event-answers.js';
import type { DocumentLimits } from './limits.js';
import type { EdgeMetrics } from './metrics.js';
import type { EdgeOptions, EdgeRequest } from './options.js';

/** The result of an operation that ran: its errors are presented, never raw. */
export type Answer = ExecutionResult & { readonly errors?: readonly PresentedError[] };

/** Runs prepared operations, for both transports. */
export interface Execution {
  /** The fault that keeps the operation from running with these variables, if any: nothing ran. */
  refuse(operation: Operation, variables: Variables | null | undefined): PresentedError | undefined;
  /** Runs a query or mutation that was not refused. Never rejects. */
  answer(
    operation: Operation,
    variables: Variables | null | undefined,
    request: EdgeRequest,
  ): Promise<Answer>;
  /** Starts a subscription that was not refused: its answers, or the errors that kept it from starting. */
  subscribe(
    operation: Operation,
    variables: Variables | null | undefined,
    request: EdgeRequest,
  ): Promise<AsyncIterableIterator<Answer> | Answer>;
}

export function createExecution<Ctx>(options: {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  masking: Masking;
  metrics: EdgeMetrics;
  createContext: EdgeOptions<Ctx>['createContext'];
}): Execution {
  const { schema, limits, masking, metrics, createContext } = options;

  return {
    refuse(operation, variables) {
      const fault = findFault(operation, variables);
      if (fault) metrics.requested(operation.node.operation, 'refused');
      return fault;
    },

    async answer(operation, variables, request) {
      const started = performance.now();
      const answer = await run(operation, undefined, variables ?? {}, request);
      const seconds = (performance.now() - started) / 1000;
      metrics.requested(operation.node.operation, answer.errors ? 'failed' : 'ok', seconds);
      return answer;
    },

    async subscribe(operation, variables, request) {
      const source = await openSource(operation, variables ?? {}, request);
      const opened = Symbol.asyncIterator in source;
      metrics.requested(OperationTypeNode.SUBSCRIPTION, opened ? 'ok' : 'failed');
      if (!opened) return presented(source, request);
      return eventAnswers(source[Symbol.asyncIterator](), {
        answer: (event) => run(operation, event, variables ?? {}, request),
        failed: (error) => ({ errors: [masking.present(error, request)] }),
      });
    },
  };

  function findFault(
    operation: Operation,
    variables: Variables | null | undefined,
  ): PresentedError | undefined {
    let coerced: Variables = {};
    const definitions = operation.node.variableDefinitions;
    if (definitions && definitions.length > 0) {
      const read = getVariableValues(schema, definitions, variables ?? {}, { maxErrors: 1 });
      if (read.errors) {
        const [error] = read.errors;
        return masking.requestError('BAD_USER_INPUT', error?.message ?? 'Bad variables', error);
      }
      coerced = read.coerced;
    }
    const cost = operation.cost(coerced);
    if (cost <= limits.maxCost) return undefined;
    const message = `The operation may cost ${cost}; at most ${limits.maxCost} is allowed: ask for smaller pages`;
    return masking.requestError('QUERY_TOO_COSTLY', message);
  }

  async function run(
    operation: Operation,
    root: unknown,
    variables: Variables,
    request: EdgeRequest,
  ): Promise<Answer> {
    try {
      const context = await createContext(request);
      return presented(await operation.run(root, context, variables), request);
    } catch (error) {
      return { errors: [masking.present(error, request)], data: null };
    }
  }

  async function openSource(operation: Operation, variables: Variables, request: EdgeRequest) {
    try {
      return await createSourceEventStream({
        schema,
        document: operation.document,
        operationName: operation.node.name?.value ?? null,
        contextValue: await createContext(request),
        variableValues: variables,
      });
    } catch (error) {
      return { errors: [toGraphQLError(error)] };
    }
  }

  function presented(result: ExecutionResult, request: EdgeRequest): Answer {
    const { data, errors } = result;
    if (!errors || errors.length === 0) return data === undefined ? {} : { data };
    const shown = errors.map((error) => masking.present(error, request));
    return data === undefined ? { errors: shown } : { errors: shown, data };
  }
}

function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

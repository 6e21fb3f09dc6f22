import {
  createSourceEventStream,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getVariableValues,
  OperationTypeNode,
} from 'graphql';
import { inSpan, tracer } from '../../platform/tracing/tracing.js';
import { forReader, type Reader } from '../../platform/wake-ups/reader.js';
import { type Masking, PresentedError } from '../errors.js';
import { costExtension } from '../gate/answer.js';
import type { EdgeMetrics } from '../metrics.js';
import type { EdgeOptions, EdgeRequest } from '../options.js';
import { textFault } from '../text.js';
import type { Variables } from './cost.js';
import type { DocumentLimits } from './document-limits.js';
import type { Operation } from './documents.js';
import { EventAnswers } from './event-answers.js';
import { KeptVariables, type Reckoned } from './kept-variables.js';
import type { Values } from './runner.js';
import { spanOfOperation, traceAnswers } from './traced-operations.js';

/** The result of an operation that ran: its errors are presented, never raw. */
export type Answer = ExecutionResult & { readonly errors?: readonly PresentedError[] };

export type Execution = ReturnType<typeof createExecution>;

/** An operation that may run with these values. */
export interface Admitted {
  readonly operation: Operation;
  readonly values: Values;
}

/** What became of an operation of an HTTP request; `refused`: nothing ran. */
interface AnswerOverHttp {
  readonly result: Answer;
  readonly refused: boolean;
}

export type Admission =
  | { readonly ok: true; readonly admitted: Admitted }
  | { readonly ok: false; readonly error: PresentedError };

/** Runs prepared operations, for both transports. */
export function createExecution<Ctx>(options: {
  schema: GraphQLSchema;
  limits: DocumentLimits;
  masking: Masking;
  metrics: EdgeMetrics;
  createContext: EdgeOptions<Ctx>['createContext'];
  onWritten?: EdgeOptions<Ctx>['onWritten'];
}) {
  const { schema, limits, masking, metrics, createContext } = options;
  const reckoned = new KeptVariables();

  return {
    admit,
    answer,

    /**
     * Runs a prepared operation for one HTTP request, or refuses it: status 400, nothing ran.
     *
     * @throws Rejected at the gate
     */
    async answerOverHttp(
      operation: Operation,
      variables: Variables | undefined,
      request: EdgeRequest,
    ): Promise<AnswerOverHttp> {
      const using = tracer();
      if (!using) return answerOverHttp(operation, variables, request);
      return inSpan(using, spanOfOperation(operation), async (span) => {
        const answer = await answerOverHttp(operation, variables, request);
        if (answer.result.errors) span.fail(codeOf(answer.result.errors));
        return answer;
      });
    },

    /** Starts an admitted subscription: its answers, or the errors that kept it from starting. */
    async subscribe(
      admitted: Admitted,
      request: EdgeRequest,
    ): Promise<AsyncIterableIterator<Answer> | Answer> {
      const source = await openSource(admitted, request);
      const opened = Symbol.asyncIterator in source;
      metrics.requested(OperationTypeNode.SUBSCRIPTION, opened ? 'ok' : 'failed');
      if (!opened) return presented(source, request);
      // It may be open for hours.
      request.rateLimit.keepOutcome();
      const answers = new EventAnswers(source[Symbol.asyncIterator](), {
        answer: async (event) => withExtensions(await run(admitted, event, request), undefined, request),
        failed: (error) => ({ errors: [masking.present(error, request)] }),
      });
      return traceAnswers(admitted.operation, answers);
    },
  };

  async function answerOverHttp(
    operation: Operation,
    variables: Variables | undefined,
    request: EdgeRequest,
  ): Promise<AnswerOverHttp> {
    if (operation.node.operation === OperationTypeNode.SUBSCRIPTION) {
      await request.rateLimit.chargeRequest();
      const message = 'Subscriptions run over WebSocket, at this same path';
      return { result: { errors: [masking.requestError('BAD_REQUEST', message)] }, refused: true };
    }
    const admission = await admit(operation, variables, request);
    if (!admission.ok) return { result: { errors: [admission.error] }, refused: true };
    return { result: await answer(admission.admitted, request), refused: false };
  }

  /**
   * Coerces the variables, holds the operation's cost against the ceiling, and checks its rate limits. Nothing runs yet.
   *
   * @throws Rejected at the gate
   */
  async function admit(
    operation: Operation,
    variables: Variables | null | undefined,
    request: EdgeRequest,
  ): Promise<Admission> {
    const reckoned = reckon(operation, variables ?? {});
    if (reckoned instanceof PresentedError) {
      await request.rateLimit.chargeRequest();
      metrics.requested(operation.node.operation, 'refused');
      return { ok: false, error: reckoned };
    }
    request.queryCost = reckoned.cost;
    await request.rateLimit.chargeOperation(operation.rootFields, reckoned.cost);
    return { ok: true, admitted: { operation, values: reckoned.values } };
  }

  /** Runs an admitted query or mutation. Never rejects. */
  async function answer(admitted: Admitted, request: EdgeRequest): Promise<Answer> {
    const started = performance.now();
    const answer = await run(admitted, undefined, request);
    const seconds = (performance.now() - started) / 1000;
    metrics.requested(admitted.operation.node.operation, answer.errors ? 'failed' : 'ok', seconds);
    return withExtensions(answer, priced(answer, admitted, request), request);
  }

  function reckon(operation: Operation, raw: Variables): Reckoned | PresentedError {
    const known = reckoned.find(operation, raw);
    if (known) return known;
    const values = coerce(operation, raw);
    if (values instanceof PresentedError) return values;
    const cost = operation.cost(values.coerced);
    return tooCostly(cost) ?? reckoned.keep(operation, raw, { values, cost });
  }

  function coerce(operation: Operation, raw: Variables): Values | PresentedError {
    const fault = textFault(raw);
    if (fault !== undefined) return masking.requestError('BAD_USER_INPUT', fault);
    const definitions = operation.node.variableDefinitions;
    if (!definitions || definitions.length === 0) return { raw, coerced: {} };
    const read = getVariableValues(schema, definitions, raw, { maxErrors: 1 });
    if (!read.errors) return { raw, coerced: read.coerced };
    const [error] = read.errors;
    return masking.requestError('BAD_USER_INPUT', error?.message ?? 'Bad variables', error);
  }

  function tooCostly(cost: number): PresentedError | undefined {
    if (cost <= limits.maxCost) return undefined;
    const message = `The operation may cost ${cost}; at most ${limits.maxCost} is allowed: ask for smaller pages`;
    return masking.requestError('QUERY_TOO_COSTLY', message);
  }

  /** What it cost, where its caller has a budget; what it did not use of that is refunded. */
  function priced(answer: Answer, { operation, values }: Admitted, { rateLimit, queryCost }: EdgeRequest) {
    const { decision } = rateLimit;
    if (!decision?.budget) return undefined;
    const actual = operation.actualCost(answer, queryCost, values.coerced);
    rateLimit.settle(actual);
    return costExtension(decision, queryCost, actual);
  }

  /** Adds `extensions`: what the operation cost, and that service is reduced for now. */
  function withExtensions(
    answer: Answer,
    cost: ReturnType<typeof priced>,
    { decision }: EdgeRequest,
  ): Answer {
    const degraded = decision?.outcome === 'DEGRADE';
    if (!cost && !degraded) return answer;
    return { ...answer, extensions: { ...(cost && { cost }), ...(degraded && { degraded }) } };
  }

  async function run({ operation, values }: Admitted, root: unknown, request: EdgeRequest): Promise<Answer> {
    try {
      const context = await createContext(request);
      const work = () => operation.run(root, context, values);
      switch (operation.node.operation) {
        case OperationTypeNode.QUERY:
          return presented(await forReader(request, work), request);
        case OperationTypeNode.SUBSCRIPTION:
          return presented(await forReader(withoutViewer(request), work), request);
        // It runs to its end even where its client leaves.
        case OperationTypeNode.MUTATION:
          return presented(await runMutation(work, request), request);
      }
    } catch (error) {
      return { errors: [masking.present(error, request)], data: null };
    }
  }

  async function runMutation<Result>(work: () => Result, request: EdgeRequest): Promise<Awaited<Result>> {
    try {
      return await work();
    } finally {
      await options.onWritten?.(request);
    }
  }

  async function openSource({ operation, values }: Admitted, request: EdgeRequest) {
    try {
      return await createSourceEventStream({
        schema,
        document: operation.document,
        operationName: operation.node.name?.value ?? null,
        contextValue: await createContext(request),
        variableValues: values.raw,
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

/** The first error's code. */
export const codeOf = ([error]: readonly PresentedError[]): string =>
  String(error?.extensions.code ?? 'unknown');

function toGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  const originalError = error instanceof Error ? error : new Error(String(error));
  return new GraphQLError(originalError.message, { originalError });
}

/** An event is read where it was written: a replica may not have it yet. */
const withoutViewer = (request: EdgeRequest): Reader => ({
  get signal() {
    return request.signal;
  },
});

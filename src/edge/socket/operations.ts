import type { ExecutionArgs, GraphQLSchema } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { type Gate, OPERATION_ENDPOINT } from '../../platform/gate.js';
import type { Ids } from '../../platform/ids.js';
import type { Masking, PresentedError } from '../errors.js';
import { LazyRequest, operationCorrelationId } from '../gate/edge-request.js';
import { rejectionError } from '../gate/http-gate.js';
import { RateLimitCheck, Rejected, rateLimitCaller, requestEndpoints } from '../gate/rate-limit-check.js';
import type { Documents, Operation } from '../graphql/documents.js';
import { type Admission, type Admitted, type Answer, codeOf, type Execution } from '../graphql/execution.js';
import type { PersistedDocuments } from '../graphql/persisted-documents.js';
import type { EdgeRequest } from '../options.js';
import type { Connection } from './connection.js';
import { OpenOperation } from './open-operation.js';
import type { OperationTrace } from './traced-operation.js';

const MAX_SUBSCRIPTIONS = 100;

/** An admitted operation, as graphql-ws passes it from `onSubscribe` to `execute` or `subscribe`. */
class AdmittedOperation {
  constructor(
    readonly admitted: Admitted,
    readonly request: EdgeRequest,
    private readonly trace: OperationTrace,
  ) {}

  /** Answers it, or opens its subscription, and ends its span. */
  finish<T extends Answer | AsyncIterableIterator<Answer>>(work: () => Promise<T>): Promise<T> {
    return this.trace.finish(work, (answer) =>
      'errors' in answer && answer.errors ? codeOf(answer.errors) : undefined,
    );
  }
}

/** What graphql-ws executes, or the errors that end the operation. */
type Executable = (ExecutionArgs & { readonly contextValue: AdmittedOperation }) | PresentedError[];

/** Admits the operations of sockets. */
export function createSocketOperations(options: {
  schema: GraphQLSchema;
  documents: Documents;
  persisted: PersistedDocuments;
  execution: Execution;
  masking: Masking;
  gate: () => Gate;
  documentationUrl: string;
  ids: Ids;
}) {
  const { schema, documents, persisted, execution, masking, gate, documentationUrl, ids } = options;
  return { admit, charged, isRefused };

  async function admit(
    { extra, subscriptions }: Context<Record<string, unknown>, Connection>,
    id: string,
    payload: SubscribePayload,
  ): Promise<Executable> {
    if (Object.keys(subscriptions).length + extra.countOfLeftUnchecked > MAX_SUBSCRIPTIONS) {
      const message = `A socket carries at most ${MAX_SUBSCRIPTIONS} operations at once`;
      return [await charged(extra, masking.requestError('TOO_MANY_SUBSCRIPTIONS', message))];
    }
    const opened = open(extra, id, payload);
    const request = new LazyRequest(opened);
    const { trace } = opened;
    const admission = await check(payload, request, trace).catch((error: unknown) => ({
      ok: false as const,
      error:
        error instanceof Rejected ? rejectionError(error, documentationUrl) : masking.present(error, request),
    }));
    extra.endCheck(opened);
    if (!admission.ok) {
      trace.end(codeOf([admission.error]));
      extra.endOperation(id, payload);
      return [admission.error];
    }
    // Completed while it was checked: it never runs and gets no answer. It stays charged, since the check was work.
    if (!(id in subscriptions) || !opened.isOpen) {
      trace.end('completed by client');
      return [masking.requestError('BAD_REQUEST', 'The operation was completed by its client')];
    }
    return {
      schema,
      document: admission.admitted.operation.document,
      operationName: admission.admitted.operation.node.name?.value,
      contextValue: new AdmittedOperation(admission.admitted, request, trace),
    };
  }

  /** @throws Rejected */
  async function check(
    payload: SubscribePayload,
    request: EdgeRequest,
    trace: OperationTrace,
  ): Promise<Admission> {
    request.rateLimit.refuseKnown();
    const { operationName, variables } = payload;
    const looked = persisted.lookUp(payload, request.viewer);
    const known = looked?.ok && documents.known(looked.source, operationName);
    if (known) return admitKnown(known);
    await request.rateLimit.chargeRequest();
    if (looked && !looked.ok) return looked;
    const prepared = documents.prepare(looked?.source ?? payload.query, operationName);
    return prepared.ok ? admitKnown(prepared.operation) : prepared;

    function admitKnown(operation: Operation): Promise<Admission> {
      trace.begin(operation);
      return trace.run(() => execution.admit(operation, variables, request));
    }
  }

  /** Charges an operation that is refused without a look at its document. @returns its refusal, or that of the gate */
  async function charged(connection: Connection, refusal: PresentedError): Promise<PresentedError> {
    try {
      await checkOf(connection).chargeRequest();
      return refusal;
    } catch (error) {
      return error instanceof Rejected
        ? rejectionError(error, documentationUrl)
        : masking.present(error, connection);
    }
  }

  /** Whether it is known without asking the counters that the next operation is refused, whichever it is. */
  function isRefused(connection: Connection): boolean {
    try {
      checkOf(connection).refuseKnown();
      return false;
    } catch (error) {
      if (error instanceof Rejected) return true;
      throw error;
    }
  }

  /** For what is refused, or not, without a look at its document. */
  function checkOf(connection: Connection): RateLimitCheck {
    const { viewer, address } = connection;
    const caller = rateLimitCaller(viewer, address.network);
    return new RateLimitCheck(
      gate(),
      caller,
      requestEndpoints(OPERATION_ENDPOINT, 'valid'),
      () => connection.gone,
    );
  }

  function open(connection: Connection, id: string, payload: SubscribePayload): OpenOperation {
    const correlationId = operationCorrelationId(connection.correlationId, id, ids);
    const opened = new OpenOperation(connection, id, payload, correlationId, gate());
    connection.open.set(id, opened);
    return opened;
  }
}

export function admittedOperation(context: unknown): AdmittedOperation {
  if (context instanceof AdmittedOperation) return context;
  throw new Error('an operation that was not admitted reached execution');
}

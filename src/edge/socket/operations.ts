import type { ExecutionArgs, GraphQLSchema } from 'graphql';
import type { Context } from 'graphql-ws';
import type { Ids } from '../../platform/ids.js';
import type { Masking, PresentedError } from '../errors.js';
import type { Gate } from '../gate/gate.js';
import { rejectionError } from '../gate/http-gate.js';
import { arrivalAt, gateCaller, OPERATION_ENDPOINT, Passage, Rejected } from '../gate/passage.js';
import { operationCorrelationId, socketRequest } from '../gate/requests.js';
import type { Documents } from '../graphql/documents.js';
import type { Admission, Admitted, Execution } from '../graphql/execution.js';
import type { EdgeRequest } from '../options.js';
import { type Connection, end, endCheck, isOpen } from './connection.js';

const MAX_SUBSCRIPTIONS = 100;

/** An admitted operation on its way through graphql-ws. */
class OnItsWay {
  constructor(
    readonly admitted: Admitted,
    readonly request: EdgeRequest,
  ) {}
}

interface Payload {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Record<string, unknown> | null | undefined;
}

/** What graphql-ws executes, or the errors that end the operation. */
type Admittance = (ExecutionArgs & { readonly contextValue: OnItsWay }) | PresentedError[];

/** Makes what operations of sockets come through. */
export function createSocketOperations(options: {
  schema: GraphQLSchema;
  documents: Documents;
  execution: Execution;
  masking: Masking;
  gate: Gate;
  documentationUrl: string;
  ids: Ids;
}) {
  const { schema, documents, execution, masking, gate, documentationUrl, ids } = options;
  return { admit, charged };

  async function admit(
    { extra, subscriptions }: Context<Record<string, unknown>, Connection>,
    id: string,
    payload: Payload,
  ): Promise<Admittance> {
    if (Object.keys(subscriptions).length + extra.leftUnchecked.size > MAX_SUBSCRIPTIONS) {
      const message = `A socket carries at most ${MAX_SUBSCRIPTIONS} operations at once`;
      return [await charged(extra, masking.requestError('TOO_MANY_SUBSCRIPTIONS', message))];
    }
    const request = requestOf(extra, id, payload);
    const admission = await pass(payload, request).catch((error: unknown) => ({
      ok: false as const,
      error:
        error instanceof Rejected ? rejectionError(error, documentationUrl) : masking.present(error, request),
    }));
    endCheck(extra, id, payload);
    if (!admission.ok) {
      end(extra, id, payload);
      return [admission.error];
    }
    // Completed while it was checked: it never runs, and nobody is told. It stays charged: that work is done.
    if (!(id in subscriptions) || !isOpen(extra, id, payload)) {
      return [masking.requestError('BAD_REQUEST', 'The operation was completed by its client')];
    }
    return {
      schema,
      document: admission.admitted.operation.document,
      operationName: admission.admitted.operation.node.name?.value,
      contextValue: new OnItsWay(admission.admitted, request),
    };
  }

  /** @throws Rejected */
  async function pass(
    { query, operationName, variables }: Payload,
    request: EdgeRequest,
  ): Promise<Admission> {
    request.passage.foresee();
    const known = documents.known(query, operationName);
    if (known) return execution.admit(known, variables, request);
    await request.passage.arrive();
    const prepared = documents.prepare(query, operationName);
    return prepared.ok ? execution.admit(prepared.operation, variables, request) : prepared;
  }

  /** Charges the arrival of an operation that nobody looks into. @returns its refusal, or that of the gate */
  async function charged(connection: Connection, refusal: PresentedError): Promise<PresentedError> {
    const { viewer, address, gone } = connection;
    const caller = gateCaller(viewer, address.network);
    const passage = new Passage(gate, caller, arrivalAt(OPERATION_ENDPOINT, 'believed'), () => gone);
    try {
      await passage.arrive();
      return refusal;
    } catch (error) {
      return error instanceof Rejected
        ? rejectionError(error, documentationUrl)
        : masking.present(error, connection);
    }
  }

  function requestOf(connection: Connection, id: string, payload: Payload): EdgeRequest {
    const onLeave: (() => void)[] = [];
    connection.open.set(id, { payload, checking: true, onLeave });
    const { viewer, address } = connection;
    return socketRequest({
      viewer,
      correlationId: operationCorrelationId(connection.correlationId, id, ids),
      address,
      gate,
      arrivesAt: arrivalAt(OPERATION_ENDPOINT, 'believed'),
      logger: connection.logger,
      onLeave: (then) => (isOpen(connection, id, payload) ? onLeave.push(then) : then()),
    });
  }
}

export function onItsWay(context: unknown): OnItsWay {
  if (context instanceof OnItsWay) return context;
  throw new Error('an operation that was not admitted reached execution');
}

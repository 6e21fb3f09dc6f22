import type { SubscribePayload } from 'graphql-ws';
import { type Span, tracer, within } from '../../platform/tracing/tracing.js';
import type { Operation } from '../graphql/documents.js';
import { spanOfOperation } from '../graphql/traced-operations.js';
import type { Connection } from './connection.js';

/** The span of an operation on a socket: until it is answered, or, of a subscription, until it is open. */
export interface OperationTrace {
  /** The operation is known: before that there is no span. */
  begin(operation: Operation): void;
  run<T>(work: () => T): T;
  /**
   * Answers it, or opens its subscription, and ends its span.
   *
   * @param errorOf the code of what the answer says went wrong
   */
  finish<T>(work: () => Promise<T>, errorOf: (answer: T) => string | undefined): Promise<T>;
  /**
   * It is not answered. Nothing where `finish` was called.
   *
   * @param error the code of what it ended with
   */
  end(error: string): void;
}

const UNTRACED: OperationTrace = {
  begin: () => undefined,
  run: (work) => work(),
  finish: (work) => work(),
  end: () => undefined,
};

/** It goes on with the trace that the operation names in its `extensions`, else with that of its connection. */
export function traceOperation(
  { traceparent }: Pick<Connection, 'traceparent'>,
  { extensions }: Pick<SubscribePayload, 'extensions'>,
): OperationTrace {
  const using = tracer();
  if (!using) return UNTRACED;
  const parent = givenTraceparent(extensions) ?? traceparent;
  let span: Span | undefined;
  return {
    begin(operation) {
      const { name, attributes } = spanOfOperation(operation);
      span = using.openRequest({
        name,
        kind: 'server',
        parent,
        attributes: { ...attributes, 'network.protocol.name': 'websocket' },
      });
    },
    run: (work) => (span ? span.run(work) : work()),
    async finish(work, errorOf) {
      const finishing = span;
      span = undefined;
      if (!finishing) return work();
      return within(finishing, async () => {
        const answer = await work();
        const error = errorOf(answer);
        if (error !== undefined) finishing.fail(error);
        return answer;
      });
    },
    end(error) {
      span?.fail(error);
      span?.end();
      span = undefined;
    },
  };
}

/** The trace that a client names: in headers, connection parameters or extensions. It may be malformed. */
export function givenTraceparent(
  from: Readonly<Record<string, unknown>> | null | undefined,
): string | undefined {
  const given = from?.traceparent;
  return typeof given === 'string' ? given : undefined;
}

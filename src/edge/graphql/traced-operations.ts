import { type RequestStart, type Span, tracer } from '../../platform/tracing/tracing.js';
import { type Hearing, whileHearing } from '../../platform/wake-ups/hearing.js';
import type { Operation } from './documents.js';

/** Characters of an operation's name, which its client makes up. */
const LONGEST_NAME = 100;

/** What a span says of an operation: what the schema knows of it and its own name, and neither its document nor its variables. */
export function spanOfOperation({ node, rootFields }: Operation): RequestStart {
  const [first = '', ...others] = [...rootFields.keys()];
  const field = others.length === 0 ? first.slice(first.indexOf('.') + 1) : '';
  return {
    name: field ? `${node.operation} ${field}` : node.operation,
    attributes: {
      'graphql.operation.type': node.operation,
      ...(node.name && { 'graphql.operation.name': node.name.value.slice(0, LONGEST_NAME) }),
    },
  };
}

/**
 * The same answers of a subscription. Each that comes of a wake-up which is traced is a span of that trace, from when it is heard until the next
 * one is asked for: by then it was handed to the socket. Itself where traces are off.
 */
export function traceAnswers<Answer>(
  operation: Operation,
  answers: AsyncIterableIterator<Answer>,
): AsyncIterableIterator<Answer> {
  const using = tracer();
  if (!using) return answers;
  const { name } = spanOfOperation(operation);
  let sending: Span | undefined;
  let isOver = false;
  function endSending(): void {
    sending?.end();
    sending = undefined;
  }
  function endAll(): void {
    isOver = true;
    endSending();
  }
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      endSending();
      const heard: Hearing = { traceparent: undefined, at: 0 };
      // The span of the operation that subscribed ended long ago.
      const answer = await using.outside(() => whileHearing(heard, () => answers.next()));
      if (heard.traceparent !== undefined && !answer.done && !isOver)
        sending = using.open({
          name: `send ${name}`,
          kind: 'producer',
          parent: heard.traceparent,
          startTime: heard.at,
          attributes: {
            'messaging.system': 'graphql-transport-ws',
            'messaging.destination.name': name,
            'messaging.operation.name': 'next',
            'messaging.operation.type': 'send',
          },
        });
      return answer;
    },
    return() {
      endAll();
      return answers.return!();
    },
    throw(error) {
      endAll();
      return answers.throw!(error);
    },
  };
}

import type { Job } from 'bullmq';
import { type Span, type SpanAttributes, type SpanStart, type Tracer, tracer } from '../tracing/tracing.js';
import type { EnqueueOptions, Task } from './queues.js';

type Traceparents = readonly (string | null)[];

/**
 * Enqueues jobs in spans: one for each trace that some of them go on with.
 *
 * @param enqueue is given what each job carries, in order; null where it is in no trace
 */
export async function inSendingSpans(
  task: Pick<Task<unknown>, 'name' | 'queue'>,
  jobs: readonly Pick<EnqueueOptions, 'traceparent'>[],
  enqueue: (traceparents: Traceparents) => Promise<unknown>,
): Promise<void> {
  const spans = new Map<string, Span>();
  const using = tracer();
  const traceparents = jobs.map(({ traceparent }) =>
    using && traceparent ? sentIn(using, traceparent) : null,
  );
  try {
    await enqueue(traceparents);
  } catch (error) {
    for (const span of spans.values()) span.fail('not enqueued');
    throw error;
  } finally {
    for (const span of spans.values()) span.end();
  }

  function sentIn(by: Tracer, parent: string): string | null {
    const span = spans.get(parent) ?? by.open({ ...sendingOf(task.queue), parent });
    spans.set(parent, span);
    return span.traceparent;
  }
}

const sendingOf = (queue: string): SpanStart => ({
  name: `send ${queue}`,
  kind: 'producer',
  attributes: {
    ...queueOf(queue),
    'messaging.operation.name': 'send',
    'messaging.operation.type': 'send',
  },
});

/** The span in which a job runs. */
export const processing = (queue: string, job: Job, parent: string | undefined): SpanStart => ({
  name: `process ${queue}`,
  kind: 'consumer',
  parent: parent ?? null,
  attributes: {
    ...queueOf(queue),
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    ...(job.id !== undefined && { 'messaging.message.id': job.id }),
    'tidings.job.task': job.name,
    'tidings.job.attempt': job.attemptsStarted,
  },
});

const queueOf = (queue: string): SpanAttributes => ({
  'messaging.system': 'bullmq',
  'messaging.destination.name': queue,
});

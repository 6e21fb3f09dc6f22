import type { Job } from 'bullmq';
import { type Span, type SpanAttributes, type SpanStart, tracer } from '../tracing/tracing.js';
import type { EnqueueOptions, Task } from './queues.js';

/** The spans of jobs that are just enqueued. */
export interface Sending {
  /** What each job carries, in order; null where it is in no trace. */
  readonly traceparents: readonly (string | null)[];
  fail(): void;
  end(): void;
}

/**
 * Begins the spans in which jobs are enqueued: one for each job that has a trace of its own, and one for all others together.
 *
 * @returns undefined where traces are off
 */
export function sending(
  task: Pick<Task<unknown>, 'name' | 'queue'>,
  jobs: readonly Pick<EnqueueOptions, 'traceparent'>[],
): Sending | undefined {
  const using = tracer();
  if (!using) return undefined;
  const start: SpanStart = {
    name: `send ${task.queue}`,
    kind: 'producer',
    attributes: {
      ...queueOf(task.queue),
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
    },
  };
  let shared: Span | undefined;
  const ofJobs = jobs.map(({ traceparent: parent }) => {
    if (parent !== undefined) return using.open({ ...start, parent });
    shared ??= using.open(start);
    return shared;
  });
  const opened = new Set(ofJobs);
  return {
    traceparents: ofJobs.map(({ traceparent }) => traceparent),
    fail() {
      for (const span of opened) span.fail('not enqueued');
    },
    end() {
      for (const span of opened) span.end();
    },
  };
}

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

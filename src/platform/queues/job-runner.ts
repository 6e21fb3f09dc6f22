import type { Job } from 'bullmq';
import type { Logger } from '../logging/logger.js';
import { inSpan, tracer } from '../tracing/tracing.js';
import type { Envelope, Task } from './queues.js';
import { processing } from './traced-jobs.js';

/** What a job's code is given besides its payload. */
export interface JobRun {
  readonly correlationId: string;
  readonly logger: Logger;
  /** Aborts when the process drains. */
  readonly signal: AbortSignal;
}

/** One piece of a job's work: it is run by itself, and where it fails the others go on. */
export interface JobPart<Payload> {
  readonly payload: Payload;
  readonly correlationId: string;
}

export interface TaskHandler<Payload> {
  readonly task: Task<Payload>;
  readonly run: (payload: Payload, job: JobRun) => Promise<void>;
  /** Parses a job and takes it apart. It ends when all its parts have ended. */
  readonly partsOf: (whole: JobPart<unknown>) => readonly JobPart<Payload>[];
  /** A job has so many parts at most. */
  readonly mostParts: number;
}

/** How a job is taken apart that stands for several pieces of work. */
export interface JobParts<Payload> {
  readonly of: (whole: JobPart<Payload>) => readonly JobPart<Payload>[];
  /** So many at most: a job that is being fetched is taken to have as many. */
  readonly most: number;
}

/** Pairs a task with its code. Without `parts`, a job is one part. */
export function implementTask<Payload>(
  task: Task<Payload>,
  run: (payload: Payload, job: JobRun) => Promise<void>,
  parts: JobParts<Payload> = { of: (whole) => [whole], most: 1 },
): TaskHandler<unknown> {
  const handler: TaskHandler<Payload> = {
    task,
    run,
    partsOf: ({ payload, correlationId }) =>
      parts.of({ payload: task.payload.parse(payload), correlationId }),
    mostParts: parts.most,
  };
  // Its parts come back to it alone.
  return handler as TaskHandler<unknown>;
}

/**
 * What BullMQ calls for each job of a queue: it finds the job's code and gives it what it needs.
 *
 * @param signal aborts when the process drains
 * @param runParts runs all parts of a job, each when it may; by default all at once. It rejects when all have ended, if one failed.
 */
export function jobRunner(
  queue: string,
  handlers: readonly TaskHandler<unknown>[],
  signal: AbortSignal,
  logger: Logger,
  runParts: (parts: readonly (() => Promise<void>)[]) => Promise<void> = allOf,
): (job: Job) => Promise<void> {
  const byName = new Map(handlers.map((handler) => [handler.task.name, handler]));
  return async (job) => {
    const handler = byName.get(job.name);
    if (!handler) throw new Error(`no handler for ${job.name} in ${queue}`);
    const { traceparent, ...whole } = job.data as Envelope;
    const run = (): Promise<void> =>
      runParts(
        handler.partsOf(whole).map(({ payload, correlationId }) => () => {
          const own = logger.child({ correlationId, task: job.name, jobId: job.id });
          const done = handler.run(payload, { correlationId, logger: own, signal });
          return done.catch((error: unknown) => {
            // The job fails with the first error alone.
            if (handler.mostParts > 1) own.warn({ err: error }, 'a part of a job failed');
            throw error;
          });
        }),
      );
    const using = traceparent === undefined ? undefined : tracer();
    await (using ? inSpan(using, processing(queue, job, traceparent), run) : run());
  };
}

/** Runs all, and rejects when all have ended, if one failed. */
export async function allOf(parts: readonly (() => Promise<void>)[]): Promise<void> {
  const ended = await Promise.allSettled(parts.map((part) => part()));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

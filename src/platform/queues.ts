import {
  type ConnectionOptions,
  type Job,
  type JobsOptions,
  Queue,
  Worker,
  type WorkerOptions,
} from 'bullmq';
import type { z } from 'zod';
import { withinMs } from './deadline.js';
import type { Logger } from './logger.js';
import { openFailingRedis } from './redis.js';

/** A kind of job: its name, the queue that it waits in, and what its payload must look like. */
export interface Task<Payload> {
  readonly name: string;
  readonly queue: string;
  readonly payload: z.ZodType<Payload>;
}

/** Declares a kind of job. The payload is parsed when it is enqueued and again when it is run. */
export function defineTask<Payload>(task: Task<Payload>): Task<Payload> {
  return task;
}

/** What travels in Redis. */
interface Envelope {
  readonly correlationId: string;
  readonly payload: unknown;
}

export interface EnqueueOptions {
  readonly correlationId: string;
  /** A job with this id that is still kept is not added again. */
  readonly jobId?: string;
  /** At most one such job waits; one that comes while it runs makes it run once more afterwards. */
  readonly doorbell?: string;
  readonly delayMs?: number;
}

/** Whatever asks Redis rejects while Redis is away, and at the latest after 5 s. */
export interface Queues {
  enqueue<Payload>(task: Task<Payload>, payload: Payload, options: EnqueueOptions): Promise<void>;
  enqueueMany<Payload>(
    task: Task<Payload>,
    jobs: readonly { readonly payload: Payload; readonly options: EnqueueOptions }[],
  ): Promise<void>;
  /**
   * Runs `payload` once in every interval, however many processes ask for it. Asked for again from time to time, since
   * a Redis that loses its keys loses schedules too.
   */
  repeat<Payload>(task: Task<Payload>, payload: Payload, everyMs: number): Promise<void>;
  /** Jobs by state, for metrics. */
  counts(queue: string): Promise<Record<string, number>>;
  /** When the job that waits longest was added, in milliseconds since the epoch; null where none waits. */
  oldestWaitingAt(queue: string): Promise<number | null>;
  /** Stops schedules and disconnects, whatever Redis does. */
  close(): Promise<void>;
}

/** Each queue's keys share one hash tag, so that a queue's scripts stay in one slot of a Cluster. */
export const prefixOf = (queue: string): string => `{tidings:${queue}}`;

const RESCHEDULE_MS = 15_000;
const ANSWER_MS = 5_000;
const PARTING_MS = 2_000;

const KEEP: JobsOptions = {
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 10_000 },
};

/**
 * @param connection where Redis is: all queues of the process share one connection
 * @param rescheduleMs how often lost schedules are set again
 */
export function openQueues(
  connection: { readonly url: string },
  logger: Logger,
  { rescheduleMs = RESCHEDULE_MS } = {},
): Queues {
  const redis = openFailingRedis(connection.url, (error) =>
    logger.warn({ err: error }, 'the queues’ connection failed'),
  );
  const queues = new Map<string, Queue>();
  const schedules: NodeJS.Timeout[] = [];
  function queueOf(name: string): Queue {
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection: redis, prefix: prefixOf(name), defaultJobOptions: KEEP });
    queue.on('error', (error) => logger.error({ err: error, queue: name }, 'queue connection failed'));
    queues.set(name, queue);
    return queue;
  }

  return {
    async enqueue(task, payload, options) {
      const data = envelope(task, payload, options);
      await withinMs(ANSWER_MS, queueOf(task.queue).add(task.name, data, toJobOptions(options)));
    },
    async enqueueMany(task, jobs) {
      if (jobs.length === 0) return;
      const bulk = jobs.map(({ payload, options }) => ({
        name: task.name,
        data: envelope(task, payload, options),
        opts: toJobOptions(options),
      }));
      await withinMs(ANSWER_MS, queueOf(task.queue).addBulk(bulk));
    },
    async repeat(task, payload, everyMs) {
      const data = envelope(task, payload, { correlationId: `schedule:${task.name}` });
      const schedule = async (): Promise<void> => {
        const template = { name: task.name, data, opts: KEEP };
        await withinMs(
          ANSWER_MS,
          queueOf(task.queue).upsertJobScheduler(task.name, { every: everyMs }, template),
        );
      };
      await schedule();
      schedules.push(setInterval(() => void schedule().catch(() => undefined), rescheduleMs).unref());
    },
    counts: (queue) =>
      withinMs(ANSWER_MS, queueOf(queue).getJobCounts('waiting', 'active', 'delayed', 'failed')),
    async oldestWaitingAt(queue) {
      const [oldest] = await withinMs(ANSWER_MS, queueOf(queue).getWaiting(0, 0));
      return oldest?.timestamp ?? null;
    },
    async close() {
      for (const timer of schedules) clearInterval(timer);
      const closing = Promise.all([...queues.values()].map((queue) => queue.close()));
      await withinMs(PARTING_MS, closing).catch((error: unknown) =>
        logger.warn({ err: error }, 'queues did not close in time'),
      );
      redis.disconnect();
    },
  };
}

function envelope<Payload>(
  task: Task<Payload>,
  payload: Payload,
  options: { correlationId: string },
): Envelope {
  return { correlationId: options.correlationId, payload: task.payload.parse(payload) };
}

function toJobOptions(options: EnqueueOptions): JobsOptions {
  return {
    ...(options.jobId === undefined ? {} : { jobId: options.jobId }),
    // A doorbell that was answered tells nothing to anybody.
    ...(options.doorbell === undefined
      ? {}
      : { deduplication: { id: options.doorbell, keepLastIfActive: true }, removeOnComplete: true }),
    ...(options.delayMs === undefined ? {} : { delay: options.delayMs }),
  };
}

/** What a job's code is given besides its payload. */
export interface JobRun {
  readonly correlationId: string;
  readonly logger: Logger;
  /** Aborts when the process drains. */
  readonly signal: AbortSignal;
}

export interface TaskHandler<Payload> {
  readonly task: Task<Payload>;
  readonly run: (payload: Payload, job: JobRun) => Promise<void>;
}

/** Pairs a task with its code. */
export function implementTask<Payload>(
  task: Task<Payload>,
  run: (payload: Payload, job: JobRun) => Promise<void>,
): TaskHandler<unknown> {
  return { task, run: (payload, job) => run(task.payload.parse(payload), job) };
}

/**
 * What BullMQ calls for each job of a queue: it finds the job's code and gives it what it needs.
 *
 * @param signal aborts when the process drains
 */
export function jobRunner(
  queue: string,
  handlers: readonly TaskHandler<unknown>[],
  signal: AbortSignal,
  logger: Logger,
): (job: Job) => Promise<void> {
  const byName = new Map(handlers.map((handler) => [handler.task.name, handler]));
  return async (job) => {
    const handler = byName.get(job.name);
    if (!handler) throw new Error(`no handler for ${job.name} in ${queue}`);
    const { correlationId, payload } = job.data as Envelope;
    await handler.run(payload, {
      correlationId,
      logger: logger.child({ correlationId, task: job.name, jobId: job.id }),
      signal,
    });
  };
}

export interface WorkerSettings {
  readonly concurrency: number;
  /** How long a killed worker's jobs stay with it. */
  readonly lockDurationMs?: number;
}

/**
 * Works one queue: every task in it must have a handler. A handler that throws fails its job.
 *
 * @returns stops taking jobs and waits for those that run; then for Redis, 2 s at most
 */
export function workQueue(
  connection: ConnectionOptions,
  queue: string,
  handlers: readonly TaskHandler<unknown>[],
  settings: WorkerSettings,
  logger: Logger,
): { close(): Promise<void> } {
  const draining = new AbortController();
  const running = new Set<Promise<void>>();
  const runJob = jobRunner(queue, handlers, draining.signal, logger);
  const options: WorkerOptions = {
    connection,
    prefix: prefixOf(queue),
    concurrency: settings.concurrency,
    lockDuration: settings.lockDurationMs ?? 30_000,
    stalledInterval: Math.min(2_000, settings.lockDurationMs ?? 30_000),
    // A job whose worker was killed runs again, however often that happens: the code it runs is safe to repeat.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  };
  const worker = new Worker(
    queue,
    async (job) => {
      const run = runJob(job);
      running.add(run);
      await run.finally(() => running.delete(run));
    },
    options,
  );
  worker.on('error', (error) => logger.error({ err: error, queue }, 'queue worker failed'));
  worker.on('failed', (job, error) => logger.error({ err: error, queue, jobId: job?.id }, 'job failed'));
  return {
    async close() {
      draining.abort();
      const closing = worker.close();
      let late: unknown;
      do {
        await Promise.allSettled(running);
        late = await withinMs(PARTING_MS, closing).catch((error: unknown) => error);
        // One that was just being fetched may have begun meanwhile.
      } while (late && running.size > 0);
      if (late) {
        logger.warn({ err: late, queue }, 'the queue worker did not close in time');
        void worker.disconnect().catch(() => undefined);
      }
    },
  };
}

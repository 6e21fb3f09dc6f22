import { randomUUID } from 'node:crypto';
import { type JobsOptions, Queue } from 'bullmq';
import type { z } from 'zod';
import { type Clock, systemClock } from '../clock.js';
import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import { isOddValue } from '../odd-values.js';
import { openFailingRedis } from '../redis/redis.js';
import { followServer, type RedisAddress } from '../redis/server-watch.js';
import { createQueueRepair, type QueueRepair } from './queue-repair.js';
import { inSendingSpans } from './traced-jobs.js';

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
export interface Envelope {
  readonly correlationId: string;
  readonly payload: unknown;
  /** Absent where the job is in no trace. */
  readonly traceparent?: string;
}

export interface EnqueueOptions {
  readonly correlationId: string;
  /**
   * The W3C trace context that the job goes on with: of what is stored, or `tracer()?.traceparent()`, the active one. Without it the job
   * is in no trace, as one is that works for others too.
   */
  readonly traceparent?: string | null | undefined;
  /** A job with this id that is still kept is not added again. */
  readonly jobId?: string;
  /** At most one such job waits; one that comes while it runs makes it run once more afterwards. It is not kept once it is done. */
  readonly deduplicationId?: string;
  /** The job has so many parts (`TaskHandler.partsOf`), which `counts` counts. It is not kept once it is done, and has no other id. */
  readonly parts?: number;
  /** From 1 on: lower ones run first; jobs without one run before all. */
  readonly priority?: number;
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
   * Jobs by state, for metrics; of those that wait or run, their parts. Where more than 1,000 wait or run, the others are taken to be
   * like the 1,000 that are next.
   */
  counts(queue: string): Promise<Record<string, number>>;
  /** When the job that waits longest was added, in milliseconds since the epoch; null where none waits. */
  oldestWaitingAt(queue: string): Promise<number | null>;
  /** Resolves where the queues' Redis answers. */
  ping(): Promise<void>;
  /** Disconnects, whatever Redis does. */
  close(): Promise<void>;
}

/** Each queue's keys share one hash tag, so that a queue's scripts stay in one slot of a Cluster. */
export const prefixOf = (queue: string): string => `{tidings:${queue}}`;
/** What all keys of a queue begin with, before a colon. */
export const keysOf = (queue: string): string => `${prefixOf(queue)}:${queue}`;

const ANSWER_MS = 5_000;
/** Jobs of a state whose parts are counted one by one. */
const COUNTED_JOBS = 1_000;
/** How long a connection that closes waits for Redis. */
export const PARTING_MS = 2_000;

const KEEP: JobsOptions = {
  removeOnComplete: { age: 3_600, count: 1_000 },
  removeOnFail: { age: 86_400, count: 10_000 },
};

/** All queues of the process share one connection. */
export function openQueues(
  { urls, server }: RedisAddress,
  logger: Logger,
  clock: Clock = systemClock,
): Queues {
  const redis = openFailingRedis(urls, (error) =>
    logger.warn({ err: error }, 'the queues’ connection failed'),
  );
  const following = server && followServer(redis, server);
  const opened = new Map<string, { readonly queue: Queue; readonly repair: QueueRepair }>();
  function open(name: string) {
    const known = opened.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: redis,
      prefix: prefixOf(name),
      defaultJobOptions: KEEP,
      // A queue whose question about the version was not answered, by whichever node, would never be usable.
      skipVersionCheck: true,
    });
    queue.on('error', (error) => logger.error({ err: error, queue: name }, 'queue connection failed'));
    const one = { queue, repair: createQueueRepair(redis, keysOf(name), logger) };
    opened.set(name, one);
    return one;
  }

  /** Asks a queue; once more where something odd in it had to be removed first. */
  function ask<T>(name: string, question: (queue: Queue) => Promise<T>): Promise<T> {
    const { queue, repair } = open(name);
    const once = (): Promise<T> => question(queue);
    const answer = once().catch(async (error: unknown) => {
      if (!isOddValue(error)) throw error;
      await repair.afterError(error);
      return once();
    });
    return withinMs(ANSWER_MS, answer);
  }

  async function partsIn(name: string, state: 'waiting' | 'active', jobs: number): Promise<number> {
    if (jobs === 0) return 0;
    // The oldest stand at the end of the list.
    const ids = await ask(name, (queue) => queue.getRanges([state], -COUNTED_JOBS, -1));
    const parts = ids.reduce((sum, id) => sum + partsOfId(id), 0);
    return ids.length < COUNTED_JOBS ? parts : Math.round((parts / ids.length) * jobs);
  }

  return {
    async enqueue(task, payload, options) {
      await inSendingSpans(task, [options], async ([traceparent]) => {
        const data = envelope(task, payload, options, traceparent);
        await ask(task.queue, (queue) => queue.add(task.name, data, toJobOptions(options, clock.now())));
      });
    },
    async enqueueMany(task, jobs) {
      if (jobs.length === 0) return;
      const all = jobs.map(({ options }) => options);
      await inSendingSpans(task, all, async (traceparents) => {
        const bulk = jobs.map(({ payload, options }, index) => ({
          name: task.name,
          data: envelope(task, payload, options, traceparents[index]),
          opts: toJobOptions(options, clock.now()),
        }));
        await ask(task.queue, (queue) => queue.addBulk(bulk));
      });
    },
    async counts(name) {
      const states = ['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const;
      const { prioritized = 0, ...counts } = await ask(name, (queue) => queue.getJobCounts(...states));
      const [waiting, active] = await Promise.all(
        (['waiting', 'active'] as const).map((state) => partsIn(name, state, counts[state] ?? 0)),
      );
      return { ...counts, waiting: waiting! + prioritized, active: active! };
    },
    async oldestWaitingAt(name) {
      const [oldest] = await ask(name, (queue) => queue.getWaiting(0, 0)).catch((error: unknown) => {
        // It cannot be read: the worker that takes it removes it.
        if (error instanceof SyntaxError) return [];
        throw error;
      });
      return Number.isFinite(oldest?.timestamp) ? oldest!.timestamp : null;
    },
    async ping() {
      await withinMs(ANSWER_MS, redis.ping());
    },
    async close() {
      const all = [...opened.values()];
      const closing = Promise.all(all.map(({ queue }) => queue.close()));
      await withinMs(PARTING_MS, closing).catch((error: unknown) =>
        logger.warn({ err: error }, 'queues did not close in time'),
      );
      for (const { repair } of all) repair.close();
      following?.stop();
      redis.disconnect();
    },
  };
}

function envelope<Payload>(
  task: Task<Payload>,
  payload: Payload,
  { correlationId }: { correlationId: string },
  traceparent: string | null | undefined,
): Envelope {
  const parsed = task.payload.parse(payload);
  return traceparent ? { correlationId, payload: parsed, traceparent } : { correlationId, payload: parsed };
}

/** A delay is counted from the job's timestamp: it comes from the corrected clock, not from the machine's. */
function toJobOptions(options: EnqueueOptions, timestamp: number): JobsOptions {
  return {
    timestamp,
    ...(options.jobId === undefined ? {} : { jobId: options.jobId }),
    ...(options.parts === undefined ? {} : { jobId: idWithParts(options.parts), removeOnComplete: true }),
    // A wake-up job that has run says nothing to anybody.
    ...(options.deduplicationId === undefined
      ? {}
      : { deduplication: { id: options.deduplicationId, keepLastIfActive: true }, removeOnComplete: true }),
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(options.delayMs === undefined ? {} : { delay: options.delayMs }),
  };
}

/** The number of a job's parts is in its id, so that nobody who counts has to read the job. */
const idWithParts = (parts: number): string => `${parts}-parts-${randomUUID()}`;
const partsOfId = (id: string): number => Number(/^(\d+)-parts-/.exec(id)?.[1] ?? 1);

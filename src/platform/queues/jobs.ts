import type { Logger } from '../logging/logger.js';
import type { RedisAddress } from '../redis/server-watch.js';
import { implementTask, type JobParts, type JobRun, type TaskHandler } from './job-runner.js';
import { workQueue } from './queue-worker.js';
import type { Task } from './queues.js';
import type { ScheduledTask } from './schedules.js';
import { workSharedQueues } from './shared-queues.js';

/** Slots of one process that several queues share. The queue that is declared first is the most urgent one. */
export interface SlotPool {
  /** Parts of jobs at once, of all its queues together. */
  readonly slots: number;
  /** Milliseconds for which no job should be started; 0 to go on. */
  readonly pauseMs: () => number;
}

/** The jobs of one task. */
export interface QueueJob extends TaskHandler<unknown> {
  /** Jobs at once in one process; tasks of one queue share the number of the first. Or a part of a pool, from 0 to 1. */
  readonly concurrency: number | { readonly pool: SlotPool; readonly share: number };
}

/** What a worker does: the jobs of a task as they come, or something again and again. */
export type Job = QueueJob | (ScheduledTask & { readonly task?: undefined });

/** A killed worker's jobs are taken over after this. */
const LOCK_MS = 5_000;

export const defineJob = <Payload>(job: {
  readonly task: Task<Payload>;
  readonly concurrency: QueueJob['concurrency'];
  /** Safe to repeat. A run that throws fails its job. */
  readonly run: (payload: Payload, job: JobRun) => Promise<void>;
  /** Where a job stands for several. In a pool, each part has a slot of its own. */
  readonly parts?: JobParts<Payload>;
}): QueueJob => ({ ...implementTask(job.task, job.run, job.parts), concurrency: job.concurrency });

export const scheduledOf = (jobs: readonly Job[]): readonly ScheduledTask[] =>
  jobs.filter((job) => job.task === undefined);

const queuedOf = (jobs: readonly Job[]): readonly QueueJob[] => jobs.filter((job) => job.task !== undefined);

/** The queues of all jobs, each once. */
export const queueNamesOf = (jobs: readonly Job[]): readonly string[] => [
  ...new Set(queuedOf(jobs).map(({ task }) => task.queue)),
];

/**
 * Works the queues of all jobs. What is scheduled is left to `runSchedules`.
 *
 * @returns stops taking jobs and waits for those that run; then for Redis, 2 s at most
 */
export function workJobs(
  address: RedisAddress,
  jobs: readonly Job[],
  logger: Logger,
): { close(): Promise<void> } {
  const queued = queuedOf(jobs);
  const lockDurationMs = LOCK_MS;
  const workers: { close(): Promise<void> }[] = [];
  const pools = new Map<SlotPool, { queue: string; handlers: QueueJob[]; share: number }[]>();
  for (const queue of queueNamesOf(jobs)) {
    const handlers = queued.filter(({ task }) => task.queue === queue);
    const { concurrency } = handlers[0]!;
    if (typeof concurrency === 'number')
      workers.push(workQueue(address, queue, handlers, { concurrency, lockDurationMs }, logger));
    else {
      const { pool, share } = concurrency;
      pools.set(pool, [...(pools.get(pool) ?? []), { queue, handlers, share }]);
    }
  }
  for (const [pool, queues] of pools)
    workers.push(workSharedQueues(address, queues, { ...pool, lockDurationMs }, logger));
  return {
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

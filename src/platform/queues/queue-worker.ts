import type { Worker, WorkerOptions } from 'bullmq';
import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import type { RedisAddress } from '../redis/server-watch.js';
import { jobRunner, type TaskHandler } from './job-runner.js';
import { type QueueRepair, SturdyWorker, watchQueue } from './queue-repair.js';
import { keysOf, PARTING_MS, prefixOf } from './queues.js';
import { connectWorker, type WorkerConnection } from './worker-connection.js';

/** What the workers of all queues have in common. */
export const workerOptions = (
  connection: WorkerConnection,
  queue: string,
  lockDuration: number,
): WorkerOptions => ({
  connection: connection.options,
  prefix: prefixOf(queue),
  lockDuration,
  stalledInterval: Math.min(2_000, lockDuration),
  // A job whose worker was killed runs again, however often that happens: the code it runs is safe to repeat.
  maxStalledCount: Number.MAX_SAFE_INTEGER,
});

/** Keeps a worker on the right server and its queue in repair, until it is closed. */
export function superviseWorker(
  worker: SturdyWorker,
  connection: WorkerConnection,
  address: RedisAddress,
  logger: Logger,
): {
  readonly repair: Pick<QueueRepair, 'afterError'>;
  /** Closes the worker and waits for what runs; then for Redis, 2 s at most. */
  close(running: ReadonlySet<Promise<void>>): Promise<void>;
} {
  const queue = worker.name;
  worker.follow(address.server);
  const repair = watchQueue(address, keysOf(queue), logger);
  worker.on('error', (error) => {
    logger.error({ err: error, queue }, 'queue worker failed');
    void repair.afterError(error);
  });
  worker.on('failed', (job, error) => logger.error({ err: error, queue, jobId: job?.id }, 'job failed'));
  return {
    repair,
    async close(running) {
      // Asked at once, it gives up the fetch that it waits in.
      const closing = worker.close();
      let late: unknown;
      do {
        await Promise.allSettled(running);
        late = await withinMs(PARTING_MS, closing).catch((error: unknown) => error);
        // One that was just being fetched may have begun meanwhile.
      } while (late && running.size > 0);
      if (late) {
        logger.warn({ err: late, queue }, 'the queue worker did not close in time');
        connection.cut(worker);
      }
      connection.release();
      repair.close();
    },
  };
}

/**
 * Works one queue: every task in it must have a handler. A handler that throws fails its job.
 *
 * @param settings.lockDurationMs how long a killed worker's jobs stay with it
 * @returns stops taking jobs and waits for those that run; then for Redis, 2 s at most
 */
export function workQueue(
  address: RedisAddress,
  queue: string,
  handlers: readonly TaskHandler<unknown>[],
  settings: { readonly concurrency: number; readonly lockDurationMs: number },
  logger: Logger,
): { close(): Promise<void> } {
  const draining = new AbortController();
  const running = new Set<Promise<void>>();
  const runJob = jobRunner(queue, handlers, draining.signal, logger);
  const connection = connectWorker(address);
  const worker = new SturdyWorker(
    queue,
    async (job) => {
      // Made by a schedule of an earlier version: what recurs is in Postgres now.
      const run = job.repeatJobKey ? retire(worker, job.repeatJobKey) : runJob(job);
      running.add(run);
      await run.finally(() => running.delete(run));
    },
    {
      ...workerOptions(connection, queue, settings.lockDurationMs),
      concurrency: settings.concurrency,
    },
  );
  const supervised = superviseWorker(worker, connection, address, logger);
  return {
    close() {
      draining.abort();
      return supervised.close(running);
    },
  };
}

async function retire(worker: Worker, scheduler: string): Promise<void> {
  await (await worker.jobScheduler).removeJobScheduler(scheduler);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'bullmq';
import type { Logger } from '../logging/logger.js';
import { type WatchPace, watchLoopPace } from '../loop-pace.js';
import type { RedisAddress } from '../redis/server-watch.js';
import { allOf, jobRunner, type TaskHandler } from './job-runner.js';
import { SturdyWorker } from './queue-repair.js';
import { superviseWorker, workerOptions } from './queue-worker.js';
import { createSlotShares } from './slot-shares.js';
import { connectWorker } from './worker-connection.js';

/** One of several queues that share a process's slots. */
export interface SharedQueue {
  readonly queue: string;
  readonly handlers: readonly TaskHandler<unknown>[];
  /** Of all slots, the part that is this queue's own. */
  readonly share: number;
}

export interface SharedQueuesOptions {
  /** Parts of jobs at once, of all queues together. */
  readonly slots: number;
  /** How long a killed worker's jobs stay with it. */
  readonly lockDurationMs: number;
  /** Milliseconds for which nothing should be started; 0 to go on. */
  readonly pauseMs?: () => number;
  /** How much may be lent; by default by the event loop. */
  readonly watchPace?: WatchPace;
}

/** Jobs that are asked for together, at most. */
const MOST_TOGETHER = 8;
const AGAIN_AFTER_MS = 1_000;
const LONGEST_PAUSE_MS = 1_000;
/** Urgent jobs that wait for longer find the machine busy with what was lent. */
const URGENT_WAIT_MS = 100;

/**
 * Works several queues with one set of slots, shared as `createSlotShares` says: the first queue is the most urgent. Each part of a job
 * has a slot of its own; those that find none wait in this process, and no other job of their queue is fetched meanwhile. When the
 * process drains they are run, with an aborted signal, as slots become free.
 * A handler that throws fails its job. Less is lent while the process's event loop is late, next to nothing as soon as
 * an urgent job that was fetched had waited; those that come in a finished one's place are not looked at. How long it
 * waited is measured by two clocks: where the one that asked for it is behind by 100 ms, hardly anything is ever lent.
 *
 * @returns stops taking jobs and waits for those that run; then for Redis, 2 s at most
 */
export function workSharedQueues(
  address: RedisAddress,
  queues: readonly SharedQueue[],
  options: SharedQueuesOptions,
  logger: Logger,
): { close(): Promise<void> } {
  const pool = openPool(
    queues.map(({ share }) => share),
    options,
  );
  const workers = queues.map((queue, index) =>
    workOne(address, queue, index, pool, options.lockDurationMs, logger),
  );
  return {
    async close() {
      pool.close();
      await Promise.all(workers.map((worker) => worker.close()));
    },
  };
}

type Pool = ReturnType<typeof openPool>;

function openPool(shares: readonly number[], options: SharedQueuesOptions) {
  const { pauseMs = () => 0, watchPace = watchLoopPace } = options;
  const slots = createSlotShares(options.slots, shares);
  const starters: (() => void)[] = [];
  const waiting = new Set<() => void>();
  let isSoon = false;
  let isLater = false;
  /**
   * Something changed: parts that wait look for slots, the most urgent first. Who would fetch jobs looks again when those that ended
   * in this turn of the event loop have had theirs fetched by the call that ends them.
   */
  function wake(): void {
    for (const start of starters) start();
    if (isSoon) return;
    isSoon = true;
    setImmediate(() => {
      isSoon = false;
      for (const go of waiting) go();
      waiting.clear();
    });
  }
  const pace = watchPace((part) => {
    slots.setLending(part);
    wake();
  });
  return {
    slots,
    pauseMs,
    wake,
    wakeLater(ms: number): void {
      if (isLater) return;
      isLater = true;
      setTimeout(() => {
        isLater = false;
        wake();
      }, ms).unref();
    },
    /** @param start starts what waits for slots of a queue; called from the most urgent queue on */
    onFree: (start: () => void) => void starters.push(start),
    untilWoken: () => new Promise<void>((resolve) => waiting.add(resolve)),
    /** An urgent job begins that waited so long. */
    noteUrgent(waitMs: number): void {
      if (waitMs > URGENT_WAIT_MS) pace.slowDown();
    },
    close: () => pace.close(),
  };
}

/**
 * Runs parts of a queue's jobs, each in a slot of the pool, in their order.
 *
 * @param pauseMs milliseconds for which none should be started
 */
function createPartRunner(pool: Pool, index: number, pauseMs: () => number) {
  const { slots } = pool;
  const waiting: (() => void)[] = [];

  function start(): void {
    while (waiting.length > 0 && slots.free(index) > 0) {
      const ms = pauseMs();
      if (ms > 0) {
        pool.wakeLater(Math.min(ms, LONGEST_PAUSE_MS));
        return;
      }
      slots.take(index);
      waiting.shift()!();
    }
  }
  pool.onFree(start);

  async function run(part: () => Promise<void>): Promise<void> {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      start();
    });
    try {
      await part();
    } finally {
      slots.release(index);
      pool.wake();
    }
  }

  return {
    /** For how many more parts there is a slot. */
    freeSlots: (): number => slots.free(index) - waiting.length,
    /** Runs them all; rejects when all have ended, if one failed. */
    runAll: (parts: readonly (() => Promise<void>)[]): Promise<void> =>
      allOf(parts.map((part) => () => run(part))),
  };
}

/** A worker that fetches and runs jobs when it is asked to, and keeps their locks. */
class HandWorker extends SturdyWorker {
  /** @param loop fetches and works until the worker closes, which wakes it from whatever it waits for */
  async open(loop: () => Promise<void>): Promise<void> {
    this.lockManager.start();
    await this.startStalledCheckTimer();
    this.mainLoopRunning = loop();
    await this.mainLoopRunning;
  }
  /** @returns the next job, where `mayFetch` still holds when this one is done and there is one */
  async work(job: Job, mayFetch: () => boolean): Promise<Job | undefined> {
    return (await this.processJob(job, job.token!, mayFetch)) ?? undefined;
  }
}

function workOne(
  address: RedisAddress,
  { queue, handlers }: SharedQueue,
  index: number,
  pool: Pool,
  lockDuration: number,
  logger: Logger,
): { close(): Promise<void> } {
  const draining = new AbortController();
  const running = new Set<Promise<void>>();
  const connection = connectWorker(address);
  const parts = createPartRunner(pool, index, () => (draining.signal.aborted ? 0 : pool.pauseMs()));
  const size = Math.max(...handlers.map(({ mostParts }) => mostParts));
  const runJob = jobRunner(queue, handlers, draining.signal, logger, (all) => {
    const ended = parts.runAll(all);
    // More slots are free than while it was being fetched.
    if (all.length < size) pool.wake();
    return ended;
  });
  const worker = new HandWorker(queue, runJob, {
    ...workerOptions(connection, queue, lockDuration),
    autorun: false,
  });
  const { repair, close } = superviseWorker(worker, connection, address, logger);
  const mayStart = (): boolean => !draining.signal.aborted && pool.pauseMs() === 0;
  let tokens = 0;
  /** Jobs that are being fetched. Each may have as many parts as a job has at most. */
  let fetching = 0;
  const freeSlots = (): number => Math.max(0, Math.ceil((parts.freeSlots() - fetching * size) / size));
  async function fetchOne(block: boolean): Promise<Job | undefined> {
    tokens += 1;
    fetching += 1;
    try {
      return await worker.getNextJob(`${worker.id}:${tokens}`, { block });
    } finally {
      fetching -= 1;
    }
  }

  /** Runs a job, and while there is a free slot for more, the one that is fetched by the call which ends it. */
  async function runFrom(first: Job): Promise<void> {
    let isFetching = false;
    const note = (is: boolean): boolean => {
      fetching += Number(is) - Number(isFetching);
      isFetching = is;
      return is;
    };
    try {
      for (let job: Job | undefined = first; job; note(false))
        // Asked again where the call that ends the job is tried again.
        job = await worker.work(job, () => note(false) || note(mayStart() && freeSlots() > 0));
    } finally {
      note(false);
      pool.wake();
    }
  }

  function start(job: Job): void {
    if (index === 0 && !job.opts.delay) pool.noteUrgent(Date.now() - job.timestamp);
    const run = runFrom(job).catch((error: unknown) => {
      logger.error({ err: error, queue }, 'a job could not be finished');
      void repair.afterError(error);
    });
    running.add(run);
    void run.finally(() => running.delete(run));
  }

  async function loop(): Promise<void> {
    while (!draining.signal.aborted) {
      const pauseMs = pool.pauseMs();
      if (pauseMs > 0) await pause(Math.min(pauseMs, LONGEST_PAUSE_MS));
      else if (freeSlots() === 0) await pool.untilWoken();
      else await fetchSome();
    }
    // The worker closes when this ends: one that was just being fetched has begun meanwhile, and needs its connection.
    await Promise.allSettled(running);
  }

  async function fetchSome(): Promise<void> {
    try {
      const job = await fetchOne(true);
      if (job) start(job);
      // Where one came, more may wait: twice as many are asked for each time. A question costs Redis as much where none does.
      for (let wanted = 1, areAll = job !== undefined; areAll && mayStart(); wanted *= 2) {
        const asked = Math.min(wanted, MOST_TOGETHER, freeSlots());
        const jobs = await Promise.all(Array.from({ length: asked }, () => fetchOne(false)));
        for (const one of jobs) if (one) start(one);
        areAll = asked > 0 && jobs.every(Boolean);
      }
    } catch (error) {
      if (draining.signal.aborted) return;
      logger.warn({ err: error, queue }, 'fetching jobs failed');
      await repair.afterError(error);
      await pause(AGAIN_AFTER_MS);
    }
  }

  worker
    .open(loop)
    .catch((error: unknown) => logger.error({ err: error, queue }, 'the queue is not worked any more'));
  return {
    close() {
      draining.abort();
      pool.wake();
      return close(running);
    },
  };
}

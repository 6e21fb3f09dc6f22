import { randomUUID } from 'node:crypto';
import { Counter, Gauge, type Registry } from 'prom-client';
import { waitFor, withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import type { Queryable } from '../postgres/postgres.js';
import type { JobRun } from './job-runner.js';
import { sql } from './schedules.sql.js';

/** Something that is done again and again, by one process of the fleet at a time. */
export interface ScheduledTask {
  /** Under this name it is one task for the whole fleet. */
  readonly name: string;
  readonly everyMs: number;
  /**
   * A run that takes longer is given up: its signal aborts, and the task is run again. By default 12 intervals, but at
   * least a minute and at most 15.
   */
  readonly longestMs?: number;
  /** Safe to repeat, and to overlap with a run whose process was frozen. One that rejects is done again at its next time. */
  readonly run: (job: JobRun) => Promise<void>;
}

export interface SchedulesOptions {
  readonly postgres: Queryable;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** How long a dead process keeps what it was running. */
  readonly leaseMs?: number;
  /** From 0 to 1. */
  readonly random?: () => number;
}

const LEASE_MS = 5_000;
/** Rows may vanish with a restored database. */
const REGISTER_EVERY_MS = 60_000;
const INTERVALS_OF_A_RUN = 12;
const SHORTEST_LIMIT_MS = 60_000;
const LONGEST_LIMIT_MS = 15 * 60_000;
/** So many runs of a task that were given up, and have not ended, keep the process from beginning another. */
const MOST_GIVEN_UP = 3;
const FIRST_PAUSE_AFTER_FAILURE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;
const SCRAPE_MS = 1_000;

/**
 * Runs what recurs. When something is due is decided by the database's clock alone, and processes ask by their monotonic
 * timers: no process's clock can move a schedule. A task is run at its times, counted from its last time and not from its
 * end; one that takes longer than its interval is run again as soon as it is over. Times that nobody was there for are made
 * up for by one run. A run that dies with its process, or that is frozen, is made again after `leaseMs`; one that hangs, after
 * the task's `longestMs`.
 *
 * @returns `close` takes nothing more, aborts the signal of what runs, and waits for it
 */
export function runSchedules(
  tasks: readonly ScheduledTask[],
  options: SchedulesOptions,
): { close(): Promise<void> } {
  const { postgres, logger, leaseMs = LEASE_MS, random = Math.random } = options;
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const names = [...byName.keys()];
  const intervals = names.map((name) => byName.get(name)!.everyMs);
  const tickMs = Math.min(LONGEST_PAUSE_MS, Math.min(...intervals) / 2);
  /** What runs here, and since when. It is not taken by the same process again, whatever became of its lease. */
  const busy = new Map<string, number>();
  /** Runs that were given up and have not ended, by task. */
  const givenUp = new Map<string, number>();
  const runs = observe(options.metrics, postgres, names, busy);
  const draining = new AbortController();
  const running = new Set<Promise<void>>();

  async function run(runId: string, task: ScheduledTask): Promise<void> {
    // Not by AbortSignal.any: what it makes may forget an abort whose controller is garbage (nodejs/node#65995), and a run
    // that was given up may look at its signal long afterwards.
    const { signal, abort, stopFollowing } = abortedWith(draining.signal);
    const lease = keepLease(postgres, runId, task.name, leaseMs, abort);
    const correlationId = `schedule:${task.name}`;
    const own = logger.child({ correlationId, task: task.name });
    let outcome: 'ok' | 'failed' | 'overrun' = 'ok';
    let hasEnded = false;
    const begin = async (): Promise<void> => task.run({ correlationId, logger: own, signal });
    const work = begin().finally(() => {
      hasEnded = true;
    });
    try {
      await withinMs(limitOf(task), work);
    } catch (error) {
      outcome = hasEnded ? 'failed' : 'overrun';
      if (hasEnded) own.error({ err: error }, 'a scheduled task failed; it runs again at its next time');
      else {
        own.error({ err: error }, 'a scheduled task took too long; it is aborted and runs again');
        abort();
        countUntilEnd(task.name, work);
      }
    }
    lease.stop();
    stopFollowing();
    runs.inc({ task: task.name, outcome });
    // Where this fails the lease ends by itself, and the task is run once more than needed.
    await postgres.query(sql.finish, [runId, task.name]).catch(() => undefined);
  }

  function countUntilEnd(name: string, work: Promise<void>): void {
    const add = (n: number): unknown => givenUp.set(name, (givenUp.get(name) ?? 0) + n);
    add(1);
    void work.catch(() => undefined).then(() => add(-1));
  }

  async function takeDue(): Promise<void> {
    const runId = randomUUID();
    const free = names.filter((name) => !busy.has(name) && (givenUp.get(name) ?? 0) < MOST_GIVEN_UP);
    const every = free.map((name) => byName.get(name)!.everyMs);
    const { rows } = await postgres.query(sql.take, [free, every, leaseMs, runId]);
    for (const { name } of rows) {
      busy.set(name, performance.now());
      const one = run(runId, byName.get(name)!).finally(() => {
        busy.delete(name);
        running.delete(one);
      });
      running.add(one);
    }
  }

  async function loop(): Promise<void> {
    let registeredAt = Number.NEGATIVE_INFINITY;
    let failures = 0;
    while (!draining.signal.aborted) {
      try {
        if (performance.now() - registeredAt > REGISTER_EVERY_MS) {
          await postgres.query(sql.register, [names]);
          registeredAt = performance.now();
        }
        await takeDue();
        if (failures > 0) logger.info({ failures }, 'schedules are read again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) logger.warn({ err: error }, 'schedules cannot be read; trying until they can');
      }
      const pauseMs =
        failures === 0
          ? tickMs
          : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_AFTER_FAILURE_MS * 2 ** Math.min(failures, 10));
      // Jittered: the processes of a fleet do not all ask at the same moment.
      await waitFor(pauseMs * (0.75 + random() / 2), draining.signal);
    }
  }

  const looping = loop();
  return {
    async close() {
      draining.abort();
      await looping;
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const limitOf = ({ everyMs, longestMs }: ScheduledTask): number =>
  longestMs ?? Math.min(LONGEST_LIMIT_MS, Math.max(SHORTEST_LIMIT_MS, INTERVALS_OF_A_RUN * everyMs));

/** A signal that aborts with `other` or by `abort`, whichever is first. */
function abortedWith(other: AbortSignal): {
  signal: AbortSignal;
  abort: () => void;
  stopFollowing: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  other.addEventListener('abort', abort);
  if (other.aborted) abort();
  return { signal: controller.signal, abort, stopFollowing: () => other.removeEventListener('abort', abort) };
}

/**
 * Renews the lease of a run until it is stopped.
 *
 * @param onLost another process has the task by now, or may have it
 */
function keepLease(
  postgres: Queryable,
  runId: string,
  name: string,
  leaseMs: number,
  onLost: () => void,
): { stop(): void } {
  let renewedAt = performance.now();
  const timer = setInterval(() => void renew(), leaseMs / 3).unref();
  function lose(): void {
    clearInterval(timer);
    onLost();
  }
  let isAsking = false;
  async function renew(): Promise<void> {
    if (performance.now() - renewedAt > leaseMs) return lose();
    // A Postgres that hangs is asked once, and not again at each tick.
    if (isAsking) return;
    isAsking = true;
    const asked = performance.now();
    try {
      const { rowCount } = await postgres.query(sql.renew, [runId, name, leaseMs]);
      if (rowCount === 0) lose();
      else renewedAt = asked;
    } catch {
      // The lease may last: the next tick asks again, or finds that it is over.
    } finally {
      isAsking = false;
    }
  }
  return { stop: () => clearInterval(timer) };
}

function observe(
  registry: Registry,
  postgres: Queryable,
  names: readonly string[],
  busy: ReadonlyMap<string, number>,
): Counter<'task' | 'outcome'> {
  const registers = [registry];
  new Gauge({
    name: 'schedule_run_seconds',
    help: 'For how long the run of a scheduled task that goes on in this process has lasted',
    labelNames: ['task'],
    registers,
    collect() {
      this.reset();
      for (const [task, since] of busy) this.set({ task }, (performance.now() - since) / 1_000);
    },
  });
  new Gauge({
    name: 'schedule_overdue_seconds',
    help: 'For how long a scheduled task has been due and no process has taken it',
    labelNames: ['task'],
    registers,
    async collect() {
      this.reset();
      const read = postgres.query(sql.overdue, [names]);
      const answer = await withinMs(SCRAPE_MS, read).catch(() => undefined);
      for (const { name, seconds } of answer?.rows ?? []) this.set({ task: name }, seconds);
    },
  });
  return new Counter({
    name: 'schedule_runs_total',
    help: 'Runs of scheduled tasks by outcome: ok, failed, or overrun for those that took too long and were aborted',
    labelNames: ['task', 'outcome'],
    registers,
  });
}

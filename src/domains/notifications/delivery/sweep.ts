import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { findLackingMonths, MONTHLY } from '../retention/lacking-months.js';
import { channels, type Priority, priorities } from '../types.js';
import { createOldestDue } from './oldest-due.js';
import { sql as retries } from './retry.sql.js';
import { sql as statements } from './sweep.sql.js';
import { queueOf } from './tasks.js';
import { enqueueApart, enqueueWakeUps, mailboxOf, type StoredMailbox } from './wake-up.js';

/** A wake-up job that is not the oldest of its queue by then was lost. */
const SILENT_AFTER_MS = 5_000;
const OVERDUE_AFTER_MS = 2_000;
const PAGE = 1_000;
/** A sweep ends after this time and the next goes on where it stopped. */
const BUDGET_MS = 4_000;
/** Days that could not get their partitions are in the way of a long transaction, or of many rows: neither goes within seconds. */
const RETRY_MONTHS_MS = 5 * 60_000;

/** Where the next sweep goes on: after a delivery, by since when it waits. */
interface Position {
  readonly priority: number;
  readonly since: Date;
  readonly deliveryId: string;
}

const START: Position = { priority: 0, since: new Date(0), deliveryId: NIL };

/**
 * Enqueues wake-up jobs, one for each mailbox that has waited longer than the jobs of its queue, high priority first, and for
 * retries that are overdue. So nothing is lost with Redis: after it has lost everything, a few sweeps enqueue all of it again.
 *
 * @param monotonicMs milliseconds of a clock that nobody sets
 * @returns makes a sweep, and answers how many jobs it enqueued
 */
export function createSweeper(
  deps: {
    readonly postgres: Queryable;
    readonly queues: Queues;
    readonly clock: Clock;
    readonly logger: Pick<Logger, 'warn'>;
  },
  monotonicMs: () => number = () => performance.now(),
): (correlationId: string) => Promise<number> {
  const { postgres, queues, clock, logger } = deps;
  const oldestDue = createOldestDue(deps);
  let from = START;
  let retryMonthsAt = 0;

  /** Since before when a delivery of each channel must wait to be silent: before the oldest job of its queue. */
  function waitingBefore(priority: Priority): Promise<readonly Date[]> {
    const silent = clock.now() - SILENT_AFTER_MS;
    return Promise.all(
      channels.map(async (channel) => {
        const oldest = await queues.oldestWaitingAt(queueOf(channel, priority).name);
        return new Date(Math.min(silent, oldest ?? silent));
      }),
    );
  }

  async function silentDeliveries(
    priority: Priority,
    { since, deliveryId }: Position,
    before: readonly Date[],
  ): Promise<readonly RowOf<typeof statements.silent>[]> {
    const oldest = await oldestDue('QUEUED', priority);
    const latest = new Date(Math.max(...before.map((at) => at.getTime())));
    const after = oldest > since ? [oldest, NIL] : [since, deliveryId];
    const values = [priority, ...after, channels, before, latest, PAGE];
    return (await postgres.query(statements.silent, values)).rows;
  }

  async function requeueOverdue(correlationId: string, until: number): Promise<number> {
    let enqueued = 0;
    for (const priority of priorities) {
      for (let isFull = true; isFull && performance.now() < until; ) {
        const before = new Date(clock.now() - OVERDUE_AFTER_MS);
        const values = [priority, before, await oldestDue('RETRYING', priority), PAGE];
        const { rows } = await postgres.query(statements.requeueOverdue, values);
        enqueued += await wakeAll(rows, correlationId);
        isFull = rows.length === PAGE;
      }
    }
    return enqueued;
  }

  /** @returns whether it made some: there may be more to make */
  async function makesMonths(table: string, today: string): Promise<boolean> {
    const { rows } = await postgres.query(statements.makeMonths, [table, today]);
    return rows[0]!.made > 0;
  }

  /** Each in a transaction of its own: locks of one are not kept while another's are waited for. */
  async function makePartitions(today: string): Promise<void> {
    await postgres.query(statements.makeDays, [today]);
    if (monotonicMs() < retryMonthsAt) return;
    for (const table of MONTHLY) while (await makesMonths(table, today));
    const lacking = await findLackingMonths(postgres);
    if (lacking.length === 0) return;
    retryMonthsAt = monotonicMs() + RETRY_MONTHS_MS;
    logger.warn(
      { lacking },
      'months lack partitions: rows go to the default partitions until they can be made',
    );
  }

  async function wakeAll(places: readonly StoredMailbox[], correlationId: string): Promise<number> {
    await enqueueApart(queues, places.map(mailboxOf), correlationId);
    return places.length;
  }

  return async (correlationId) => {
    const until = performance.now() + BUDGET_MS;
    await makePartitions(new Date(clock.now()).toISOString().slice(0, 10));
    let enqueued = await requeueOverdue(correlationId, until);
    let before: readonly Date[] | null = null;
    while (from.priority < priorities.length && performance.now() < until) {
      const priority = priorities[from.priority]!;
      before ??= await waitingBefore(priority);
      const silent = await silentDeliveries(priority, from, before);
      enqueued += await wakeAll(silent, correlationId);
      const last = silent.at(-1);
      if (last && silent.length === PAGE) from = { ...from, since: last.since, deliveryId: last.deliveryId };
      else {
        from = { ...START, priority: from.priority + 1 };
        before = null;
      }
    }
    if (from.priority >= priorities.length) from = START;
    return enqueued;
  };
}

/** Redis and this machine may disagree by this much about when a retry is due; a job that comes too early is lost. */
const SLACK_MS = 250;

/** Puts a delivery whose retry is due back into its mailbox and enqueues a wake-up job. A repeat finds nothing to do. */
export async function requeueDelivery(
  deps: { readonly postgres: Queryable; readonly queues: Queues; readonly clock: Clock },
  deliveryId: string,
  correlationId: string,
): Promise<void> {
  const dueUntil = new Date(deps.clock.now() + SLACK_MS);
  const { rows } = await deps.postgres.query(retries.requeue, [deliveryId, dueUntil]);
  await enqueueWakeUps(deps.queues, rows.map(mailboxOf), correlationId);
}

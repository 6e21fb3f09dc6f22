import type { Clock } from '../../../platform/clock.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { Place } from './retry.js';
import { mailboxOf, ring } from './ring.js';

const statements = loadStatements(new URL('./sweep.sql', import.meta.url), [
  'requeueOverdue',
  'silentMailboxes',
  'makePartitions',
]);

/** A doorbell is answered within this time, or it was lost, or there is a queue before it: ringing again is harmless. */
const SILENT_AFTER_MS = 5_000;
const OVERDUE_AFTER_MS = 2_000;
const PAGE = 1_000;
const START: Place = { userId: '', channel: 'email', priority: 'high' };

export interface Sweeper {
  /**
   * Rings for mailboxes that wait too long and for retries that are overdue: a bounded number of each, going round
   * all of them from sweep to sweep. With it, nothing that Redis forgets is lost.
   *
   * @returns how many doorbells it rang
   */
  sweep(correlationId: string): Promise<number>;
}

export function createSweeper(deps: {
  readonly postgres: Queryable;
  readonly queues: Queues;
  readonly clock: Clock;
}): Sweeper {
  const { postgres, queues, clock } = deps;
  let last = START;

  async function silentMailboxes(): Promise<readonly Place[]> {
    const since = new Date(clock.now() - SILENT_AFTER_MS);
    const { rows } = await postgres.query<Place>(statements.silentMailboxes, [
      last.userId,
      last.channel,
      last.priority,
      since,
      PAGE,
    ]);
    last = rows.length === PAGE ? rows.at(-1)! : START;
    return rows;
  }

  async function overdueRetries(): Promise<readonly Place[]> {
    const before = new Date(clock.now() - OVERDUE_AFTER_MS);
    const { rows } = await postgres.query<Place>(statements.requeueOverdue, [before, PAGE]);
    return rows;
  }

  return {
    async sweep(correlationId) {
      await postgres.query(statements.makePartitions, [new Date(clock.now()).toISOString().slice(0, 10)]);
      const places = [...(await overdueRetries()), ...(await silentMailboxes())];
      await ring(queues, places.map(mailboxOf), correlationId);
      return places.length;
    },
  };
}

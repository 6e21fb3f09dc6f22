import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { batchedReads } from '../batched-reads.js';
import { firstIdAt } from '../types.js';
import { sql } from './done.sql.js';

export type FanOutsDone = ReturnType<typeof createFanOutsDone>;

/**
 * How far all fan-outs are finished. They are noted in log order, with their projector's position: what is finished up to a
 * position stays finished. So a process looks on from where it looked last. It would meet every finished fan-out again that
 * vacuum may not remove.
 */
export function createFanOutsDone({ postgres }: { readonly postgres: Queryable }) {
  let known = 0;
  // Thousands of subscriptions ask in one instant.
  const ask = batchedReads<'done', number>(async (all) => {
    const done = await read();
    return all.map(() => done);
  });

  async function read(): Promise<number> {
    const from = known;
    const { rows } = await postgres.query(sql.doneUpTo, [from]);
    const { done, noted } = rows[0]!;
    // Below what is known: an earlier database was restored, in which nothing is.
    known = noted < from ? 0 : Math.max(known, done);
    return done;
  }

  return {
    /** The log position at and below which every fan-out is finished. All who ask in one turn of the event loop share a statement. */
    upTo: (): Promise<number> => ask('done'),
  };
}

const KEPT_MS = 86_400_000;
/** Rows of one statement, and statements of one run. */
const BATCH = 5_000;
const BATCHES = 20;

/**
 * Deletes finished fan-outs of posts of more than a day ago: 100,000 at most, the next run goes on.
 *
 * @returns how many
 */
export async function forgetFanOuts(
  deps: { readonly postgres: Queryable; readonly clock: Clock },
  batch = BATCH,
): Promise<number> {
  const before = firstIdAt(deps.clock.now() - KEPT_MS);
  let forgotten = 0;
  for (let run = 0; run < BATCHES; run++) {
    const { rowCount } = await deps.postgres.query(sql.forget, [before, batch]);
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) break;
  }
  return forgotten;
}

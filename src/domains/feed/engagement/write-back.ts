import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const sql = loadStatements(new URL('./write-back.sql', import.meta.url), ['writeBack', 'waiting']);

/** Rows that one statement keeps locked: publishing and deleting wait for them for a few milliseconds. */
const POSTS_AT_ONCE = 500;

/**
 * Adds what was counted since the last time to the posts themselves, every 30 s (feed document, Cached post object).
 * Several at once share the work; one that is killed has done whole batches or nothing. The counts that readers see stay
 * what they are.
 *
 * @param signal stops between batches
 * @returns how many deltas were taken in
 */
export async function writeBackCounts(
  deps: { postgres: Queryable },
  signal: AbortSignal,
  postsAtOnce = POSTS_AT_ONCE,
): Promise<number> {
  let taken = 0;
  while (!signal.aborted) {
    const { rows } = await deps.postgres.query<{ taken: number }>(sql.writeBack, [postsAtOnce]);
    // Nothing, also where the next posts are all being written by somebody else.
    if (rows[0]!.taken === 0) break;
    taken += rows[0]!.taken;
  }
  return taken;
}

/** Deltas that are not written back yet, counted up to 100,000. */
export async function countWaitingDeltas(deps: { postgres: Queryable }): Promise<number> {
  const { rows } = await deps.postgres.query<{ waiting: number }>(sql.waiting);
  return rows[0]!.waiting;
}

import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './lone-partitions.sql.js';
import { inRounds } from './rounds.js';

/** Where a round is. */
interface Place {
  /** The partition that is looked through, or that was looked at last. */
  readonly partition: string;
  /** The last id that was looked at in it; null between two partitions. */
  readonly after: string | null;
}

const START: Place = { partition: '', after: null };

/**
 * Detaches old partitions of requests, deliveries and outcomes that cannot go as a month of all three tables, once nothing of them is
 * needed: requests are forgotten one by one, with their deliveries, and leave them empty. What is detached is dropped with its month by
 * `forgetRequestMonths`.
 *
 * @param deps.before all of a partition must be from before this instant
 */
export function forgetLonePartitions(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly before: () => Promise<Date>;
}): Forget {
  const { postgres } = deps;

  async function nextLone(after: string): Promise<string | null> {
    const values = [after, await deps.before()];
    const { rows } = await postgres.query(statements.nextLone, values);
    return rows[0]?.partition ?? null;
  }

  return inRounds(deps.clock, START, async ({ partition: last, after }, limit) => {
    const partition = after === null ? await nextLone(last) : last;
    if (partition === null) return null;
    const { rows } = await postgres.query(statements.findNeeded, [partition, after ?? NIL, limit]);
    const { lastId, isLast, isNeeded } = rows[0]!;
    if (!isNeeded && !isLast) return { partition, after: lastId };
    // Where it does not have its locks the next round tries again.
    if (!isNeeded) await postgres.query(statements.detach, [partition]);
    return { partition, after: null };
  });
}

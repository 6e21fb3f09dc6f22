import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './retention.sql.js';
import { inRounds } from './rounds.js';

/**
 * Drops months of search documents once the deliveries of these months were dropped, and those documents whose month had no partition
 * once their deliveries are gone. Of deliveries that are forgotten one by one they go in the same transaction: see forget_requests_of.
 *
 * @param deps.before all of a month must be from before this instant
 */
export function forgetSearchDocuments(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly before: () => Promise<Date>;
}): readonly Forget[] {
  const { postgres, clock, before } = deps;

  const months: Forget = async (limit) => {
    const { rows } = await postgres.query(statements.nextDocuments, [await before()]);
    const old = rows[0];
    if (!old) return 0;
    const { rows: dropped } = await postgres.query(statements.dropPartition, [old.partition]);
    if (!dropped[0]!.done) return 0;
    if (old.until) await postgres.query(statements.forgetBlocks, [old.until]);
    return limit;
  };

  const strays = inRounds<string>(clock, NIL, async (after, limit) => {
    const values = [await before(), after, limit];
    const { rows } = await postgres.query(statements.forgetStrayDocuments, values);
    const { looked, lastId } = rows[0]!;
    return looked < limit ? null : lastId;
  });

  return [months, strays];
}

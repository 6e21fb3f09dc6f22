import type { Queryable } from '../../../platform/postgres/postgres.js';
import { createLowerBounds } from '../delivery/lower-bounds.js';
import { sql as statements } from './index-deliveries.sql.js';

const QUEUE = 'queue';

/**
 * For how many seconds what was accepted, or got its text, has waited until the search finds it.
 *
 * @param monotonicMs milliseconds of a clock that nobody sets
 * @returns measures it; 0 where nothing waits
 */
export function createSearchLag(
  postgres: Queryable,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<number> {
  const bounds = createLowerBounds<bigint>(monotonicMs);
  return async () => {
    const { rows } = await postgres.query(statements.oldest, [(bounds.of(QUEUE) ?? 0n).toString()]);
    const [oldest] = rows;
    if (!oldest) return 0;
    bounds.saw(QUEUE, BigInt(oldest.entryId));
    return Math.max(0, oldest.waitingMs / 1_000);
  };
}

import type { Clock } from '../../../platform/clock.js';
import { createLookBack } from '../../../platform/look-back.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { DEDUP_WINDOW_MS } from './dedup.js';

const statements = loadStatements(new URL('./forget.sql', import.meta.url), ['forgetIds']);

/**
 * Deletes notification ids whose deduplication window is over, at most as many as asked for, from the oldest on.
 *
 * @returns answers how many
 */
export function createForgetIds(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): (limit: number) => Promise<number> {
  const lookBack = createLookBack();
  return (limit) =>
    lookBack.look(
      async (backMs) => {
        const before = new Date(deps.clock.now() - DEDUP_WINDOW_MS);
        return (await deps.postgres.query(statements.forgetIds, [before, limit, backMs])).rowCount ?? 0;
      },
      (forgotten) => forgotten < limit,
    );
}

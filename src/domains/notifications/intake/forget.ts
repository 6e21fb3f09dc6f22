import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { DEDUP_WINDOW_MS } from './dedup.js';

const statements = loadStatements(new URL('./forget.sql', import.meta.url), ['forgetIds']);

/**
 * Deletes notification ids whose deduplication window is over, `limit` at most.
 *
 * @returns how many
 */
export async function forgetIds(postgres: Queryable, now: number, limit: number): Promise<number> {
  const result = await postgres.query(statements.forgetIds, [new Date(now - DEDUP_WINDOW_MS), limit]);
  return result.rowCount ?? 0;
}

import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Priority } from '../types.js';
import { createLowerBounds } from './lower-bounds.js';
import { sql as statements } from './oldest-due.sql.js';

/** Before everything. */
const EVER = new Date(0);

/**
 * Answers an instant before which nothing of a status and priority is due any more, so that nobody who looks for the
 * oldest walks past all that was due before; see `LowerBounds`.
 *
 * @param monotonicMs milliseconds of a clock that nobody sets
 */
export function createOldestDue(
  { postgres }: { readonly postgres: Queryable },
  monotonicMs: () => number = () => performance.now(),
): (status: 'QUEUED' | 'RETRYING' | 'SCHEDULED', priority: Priority) => Promise<Date> {
  const bounds = createLowerBounds<Date>(monotonicMs);
  return async (status, priority) => {
    const key = `${status}/${priority}`;
    if (bounds.wants(key)) {
      const values = [status, priority, bounds.of(key) ?? EVER];
      const { rows } = await postgres.query(statements.oldestDue, values);
      bounds.saw(key, rows[0]!.dueAt);
    }
    return bounds.of(key) ?? EVER;
  };
}

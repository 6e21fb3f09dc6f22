import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';

/** What has become old changes by the day. */
const ROUND_EVERY_MS = 3_600_000;
/** Before all rows that are in the order of an instant and an id. */
export const FIRST: { readonly at: Date; readonly id: string } = { at: new Date(0), id: NIL };

/**
 * Goes through a table page by page, and through all of it again an hour later. What has to stay is thus looked at once an
 * hour, and no index has to distinguish it. A process that dies goes on from the beginning, and so does one whose page fails: the
 * place may be of something that another process has dropped.
 *
 * @param page forgets what is old behind a place; answers the next place, or null at the table's end; the place that it was given
 *   where it has to be called again with it, in the next run
 */
export function inRounds<Place>(
  clock: Clock,
  start: Place,
  page: (after: Place, limit: number) => Promise<Place | null>,
): Forget {
  let after = start;
  let nextRound = Number.NEGATIVE_INFINITY;
  return async (limit) => {
    const now = clock.now();
    if (after === start && now < nextRound) return 0;
    const from = after;
    after = start;
    const next = await page(from, limit);
    after = next ?? start;
    if (next === from) return 0;
    if (from === start) nextRound = now + ROUND_EVERY_MS;
    return next === null ? 0 : limit;
  };
}

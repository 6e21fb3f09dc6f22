import { createLookBack } from '../../../platform/look-back.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql } from './write-back.sql.js';

/** Rows that one statement keeps locked: publishing and deleting wait for them for a few milliseconds. */
const POSTS_AT_ONCE = 500;

/**
 * Adds deltas of counts to the posts themselves. They are numbered as they come: ids that were given out before the time of a
 * look-back are below its mark.
 */
export function createWriteBack(
  { postgres }: { readonly postgres: Queryable },
  postsAtOnce = POSTS_AT_ONCE,
  now: () => number = () => performance.now(),
) {
  const lookBack = createLookBack(now);
  /** The last id that was given out at a moment. */
  let marks: readonly { readonly at: number; readonly lastId: number }[] = [];
  let takenInUpTo = 0;

  /** The newest id that was given out so long ago; older marks are dropped. */
  function lastIdBefore(backMs: number | null): number {
    if (backMs === null) return 0;
    const before = now() - backMs;
    const place = marks.findLastIndex(({ at }) => at <= before);
    if (place < 0) return 0;
    marks = marks.slice(place);
    return marks[0]!.lastId;
  }

  const writeSome = () =>
    lookBack.look(
      async (backMs) => {
        takenInUpTo = lastIdBefore(backMs);
        const at = now();
        const { rows } = await postgres.query(sql.writeBack, [postsAtOnce, takenInUpTo]);
        marks = [...marks, { at, lastId: rows[0]!.lastId }];
        return rows[0]!;
      },
      ({ found }) => found === 0,
    );

  return {
    /**
     * Adds the deltas since the last time to the posts themselves, every 30 s (feed document, Cached post object).
     * Several at once share the work; one that is killed has done whole batches or nothing. The counts that readers see do
     * not change.
     *
     * @param signal stops between batches
     * @returns how many deltas were taken in
     */
    async writeBack(signal: AbortSignal): Promise<number> {
      let sum = 0;
      while (!signal.aborted) {
        const { taken } = await writeSome();
        // 0 also where other workers are writing all of the next posts.
        if (taken === 0) break;
        sum += taken;
      }
      return sum;
    },

    /** Deltas that are not written back yet, counted up to 100,000. */
    async countWaiting(): Promise<number> {
      const { rows } = await postgres.query(sql.waiting, [takenInUpTo]);
      return rows[0]!.waiting;
    },
  };
}

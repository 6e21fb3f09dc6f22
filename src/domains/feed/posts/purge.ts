import type { Clock } from '../../../platform/clock.js';
import type { LookBack } from '../../../platform/look-back.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql } from './purge.sql.js';

/** A deleted post is kept so long (feed document, Limits). */
const KEPT_MS = 86_400_000;
const BATCH = 500;
/** Reactions, comments and counts that one statement removes, of each. */
const PARTS = 2_000;
/** Of one run. */
const STEPS = 200;

interface Deps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  /** Of all runs. */
  readonly lookBack: LookBack;
  /** Removes those of some media that nothing holds, files and all; a sweep removes what it leaves. */
  readonly removeMedia: (mediaIds: readonly string[]) => Promise<unknown>;
}

/**
 * Removes posts a day after they were deleted, with all that belongs to them: 500 posts a step, or 2,000 of the reactions and
 * comments under them; 200 steps at most. If it is killed, the next run does the rest. Media that cannot be removed
 * do not keep their post: they are marked, and a sweep finds them.
 *
 * @returns how many were removed
 * @throws the first failure of `removeMedia`, once the posts are done
 */
export async function purgePosts(deps: Deps): Promise<number> {
  const deletedBefore = new Date(deps.clock.now() - KEPT_MS);
  const failures: unknown[] = [];
  const { removed } = await deps.lookBack.look(
    (backMs) =>
      purgeFrom(
        deps,
        new Date(backMs === null ? 0 : deletedBefore.getTime() - backMs),
        deletedBefore,
        failures,
      ),
    ({ isDone }) => isDone,
  );
  if (failures.length > 0) throw failures[0];
  return removed;
}

async function purgeFrom(
  deps: Deps,
  first: Date,
  deletedBefore: Date,
  failures: unknown[],
): Promise<{ readonly removed: number; readonly isDone: boolean }> {
  let removed = 0;
  // Removed rows stay in the index until vacuum takes them: a step begins where the one before it ended.
  let from = first;
  for (let step = 0; step < STEPS; step += 1) {
    const { rows } = await deps.postgres.query(sql.findDue, [deletedBefore, BATCH, from]);
    const holders = rows.filter((row) => row.holds_media).map((row) => row.post_id);
    const mediaIds = holders.length > 0 ? await releaseMedia(deps, holders, deletedBefore) : [];
    if (mediaIds.length > 0) await deps.removeMedia(mediaIds).catch((error) => failures.push(error));
    const postIds = rows.map((row) => row.post_id);
    const parts = await deps.postgres.query(sql.removeParts, [postIds, deletedBefore, PARTS]);
    if (parts.rows[0]!.hasMore) continue;
    const gone = (await deps.postgres.query(sql.removePosts, [postIds, deletedBefore])).rowCount ?? 0;
    removed += gone;
    if (rows.length < BATCH) return { removed, isDone: gone === rows.length };
    // Another worker is removing the rest of a full batch.
    if (gone === 0) break;
    if (gone === rows.length) from = rows.at(-1)!.deleted_at;
  }
  return { removed, isDone: false };
}

/** Marks the media that nothing holds any more: if the worker is killed afterwards, a sweep finds their files. */
async function releaseMedia(
  { postgres }: Deps,
  postIds: readonly string[],
  deletedBefore: Date,
): Promise<readonly string[]> {
  const { rows } = await postgres.query(sql.releaseMedia, [postIds, deletedBefore]);
  return rows.map((row) => row.media_id);
}

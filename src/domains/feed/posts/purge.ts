import type { Clock } from '../../../platform/clock.js';
import type { LookBack } from '../../../platform/look-back.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const sql = loadStatements(new URL('./purge.sql', import.meta.url), [
  'findDue',
  'releaseMedia',
  'removeParts',
  'removePosts',
]);

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
  /** Removes those of some media that no post holds, files and all; what it leaves undone is done by a sweep. */
  readonly removeMedia: (mediaIds: readonly string[]) => Promise<unknown>;
}

interface DuePost {
  readonly post_id: string;
  readonly deleted_at: Date;
  readonly holds_media: boolean;
  readonly [column: string]: unknown;
}

/**
 * Removes posts a day after they were deleted, with all that belongs to them: 500 posts a step, or 2,000 of the reactions and
 * comments under them; 200 steps at most. Killed anywhere, it leaves the rest to the next run. Media that cannot be removed
 * keep no post: they are marked, and a sweep finds them.
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
  // What was removed lies there until vacuum takes it: a step goes on where the one before it ended.
  let from = first;
  for (let step = 0; step < STEPS; step += 1) {
    const { rows } = await deps.postgres.query<DuePost>(sql.findDue, [deletedBefore, BATCH, from]);
    const holders = rows.filter((row) => row.holds_media).map((row) => row.post_id);
    const mediaIds = holders.length > 0 ? await releaseMedia(deps, holders, deletedBefore) : [];
    if (mediaIds.length > 0) await deps.removeMedia(mediaIds).catch((error) => failures.push(error));
    const postIds = rows.map((row) => row.post_id);
    const parts = await deps.postgres.query<{ hasMore: boolean }>(sql.removeParts, [
      postIds,
      deletedBefore,
      PARTS,
    ]);
    if (parts.rows[0]!.hasMore) continue;
    const gone = (await deps.postgres.query(sql.removePosts, [postIds, deletedBefore])).rowCount ?? 0;
    removed += gone;
    if (rows.length < BATCH) return { removed, isDone: gone === rows.length };
    // What is left of a full batch is being worked on by somebody else.
    if (gone === 0) break;
    if (gone === rows.length) from = rows.at(-1)!.deleted_at;
  }
  return { removed, isDone: false };
}

/** Marks the media that no post holds any more: whoever is killed afterwards leaves no file that nobody looks for. */
async function releaseMedia(
  { postgres }: Deps,
  postIds: readonly string[],
  deletedBefore: Date,
): Promise<readonly string[]> {
  const { rows } = await postgres.query<{ media_id: string }>(sql.releaseMedia, [postIds, deletedBefore]);
  return rows.map((row) => row.media_id);
}

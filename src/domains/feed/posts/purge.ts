import type { Clock } from '../../../platform/clock.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';

const sql = loadStatements(new URL('./purge.sql', import.meta.url), [
  'findDue',
  'releaseMedia',
  'removePosts',
]);

/** A deleted post is kept so long (feed document, Limits). */
const KEPT_MS = 86_400_000;
const BATCH = 500;
/** Of one run. */
const BATCHES = 20;

interface Deps {
  readonly postgres: Queryable;
  readonly clock: Clock;
  /** Removes those of some media that no post holds, files and all; what it leaves undone is done by a sweep. */
  readonly removeMedia: (mediaIds: readonly string[]) => Promise<unknown>;
}

/**
 * Removes posts a day after they were deleted, with all that belongs to them; 10,000 at most. Killed anywhere, it leaves
 * the rest to the next run. Media that cannot be removed keep no post: they are marked, and a sweep finds them.
 *
 * @returns how many were removed
 * @throws the first failure of `removeMedia`, once the posts are done
 */
export async function purgePosts(deps: Deps): Promise<number> {
  const deletedBefore = new Date(deps.clock.now() - KEPT_MS);
  let removed = 0;
  const failures: unknown[] = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const { rows } = await deps.postgres.query<{ post_id: string; holds_media: boolean }>(sql.findDue, [
      deletedBefore,
      BATCH,
    ]);
    const holders = rows.filter((row) => row.holds_media).map((row) => row.post_id);
    const mediaIds = holders.length > 0 ? await releaseMedia(deps, holders, deletedBefore) : [];
    if (mediaIds.length > 0) await deps.removeMedia(mediaIds).catch((error) => failures.push(error));
    const postIds = rows.map((row) => row.post_id);
    removed += (await deps.postgres.query(sql.removePosts, [postIds, deletedBefore])).rowCount ?? 0;
    if (rows.length < BATCH) break;
  }
  if (failures.length > 0) throw failures[0];
  return removed;
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

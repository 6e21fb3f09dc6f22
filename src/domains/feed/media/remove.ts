import type { Clock } from '../../../platform/clock.js';
import type { Queryable, Statement } from '../../../platform/postgres/postgres.js';
import { firstIdAt } from '../types.js';
import { everyKey } from './keys.js';
import { sql } from './remove.sql.js';
import type { MediaStore } from './store.js';

const HOUR_MS = 3_600_000;
/** An upload that nothing holds by then is removed. */
const UNUSED_AFTER_MS = 24 * HOUR_MS;
/** Each upload is checked for some days: workers may have been away. */
const LOOK_BACK_MS = 8 * 24 * HOUR_MS;
/** Longer than an upload may take. */
const INTERRUPTED_AFTER_SECONDS = 3_600;
const REMOVE_AT_ONCE = 100;

/** The last media id whose first day is over: no upload is removed before, whatever becomes of it. */
export const lastIdOfADayAgo = (now: number): string => firstIdAt(now - UNUSED_AFTER_MS);

interface Deps {
  readonly postgres: Queryable;
  readonly store: MediaStore;
}

/**
 * Removes the files and rows of those of some media that nothing holds; a deleted post holds its media until it is
 * purged. If it is killed in between, the next sweep finishes it.
 *
 * @returns how many were removed
 */
export async function removeMedia({ postgres, store }: Deps, mediaIds: readonly string[]): Promise<number> {
  let removed = 0;
  for (let i = 0; i < mediaIds.length; i += REMOVE_AT_ONCE) {
    const { rows } = await postgres.query(sql.begin, [mediaIds.slice(i, i + REMOVE_AT_ONCE)]);
    if (rows.length === 0) continue;
    await store.remove(rows.flatMap((row) => everyKey(row.kind, row.storage_key)));
    await postgres.query(sql.forget, [rows.map((row) => row.media_id)]);
    removed += rows.length;
  }
  return removed;
}

/**
 * Removes what is not needed: uploads and removals that were interrupted, and media that nothing holds a day after their
 * upload.
 *
 * @returns how many were removed; a hundred of each kind at most
 */
export async function sweepUnusedMedia(deps: Deps & { readonly clock: Clock }): Promise<number> {
  const now = deps.clock.now();
  const interrupted = await idsOf(deps.postgres, sql.interrupted, [
    INTERRUPTED_AFTER_SECONDS,
    REMOVE_AT_ONCE,
  ]);
  const unused = await idsOf(deps.postgres, sql.unused, [
    firstIdAt(now - LOOK_BACK_MS),
    lastIdOfADayAgo(now),
    REMOVE_AT_ONCE,
  ]);
  return removeMedia(deps, [...interrupted, ...unused]);
}

async function idsOf(
  postgres: Queryable,
  statement: Statement<{ readonly media_id: string }>,
  values: readonly unknown[],
): Promise<string[]> {
  const { rows } = await postgres.query(statement, values);
  return rows.map((row) => row.media_id);
}

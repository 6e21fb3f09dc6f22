import type { Queryable } from '../../../platform/postgres.js';
import type { AuthorTimelines } from '../cache/author-timelines.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { sql } from './place-published.sql.js';

interface Deps {
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly authorTimelines: AuthorTimelines;
}

/**
 * Writes new posts to the sets of their authors: each into its author's own feed, and a pulled one into the author timeline
 * too. Doing it again changes nothing.
 */
export async function placePublished(deps: Deps, postIds: readonly string[]): Promise<void> {
  const { rows } = await deps.postgres.query(sql.published, [postIds]);
  await Promise.all(
    rows.flatMap((row) => {
      const place = { at: row.created_at.getTime(), postId: row.post_id };
      const own = deps.cache.place(row.author, place);
      return row.is_pulled ? [own, deps.authorTimelines.place(row.author, place)] : [own];
    }),
  );
}

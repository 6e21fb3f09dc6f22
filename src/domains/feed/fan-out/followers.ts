import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql } from './followers.sql.js';

export const FOLLOWERS_A_PAGE = 5_000;
/**
 * The first page is short, and each is twice as long as the one before: one follower is read in half the time in which a feed is written,
 * so that the next page is there once the feeds of this one are.
 */
const FOLLOWERS_OF_FIRST_PAGE = 500;

/** Some followers: the surrogate id of the `last` one, and of each whether they were seen recently enough to have a warm feed. */
export type FollowersPage = RowOf<typeof sql.followers>;

/**
 * An author's followers by surrogate id, page by page. The first page is asked for at once; each next one is read while the caller has
 * the one before. By id and not by last visit, so that a user who visits meanwhile is not skipped.
 */
export function pagesOfFollowers(
  deps: { postgres: Queryable },
  authorId: number,
  after: number,
  activeSince: Date,
): AsyncGenerator<FollowersPage, void> {
  function pageAfter(last: number, most: number): Promise<FollowersPage> {
    const reading = deps.postgres
      .query(sql.followers, [authorId, last, most, activeSince])
      .then(({ rows }) => rows[0]!);
    // If the caller fails meanwhile, this page is not awaited.
    reading.catch(() => undefined);
    return reading;
  }

  async function* pagesFrom(first: Promise<FollowersPage>): AsyncGenerator<FollowersPage, void> {
    let most = FOLLOWERS_OF_FIRST_PAGE;
    for (let page: FollowersPage | null = await first; page && page.userIds.length > 0; ) {
      const isLast = page.userIds.length < most;
      most = Math.min(2 * most, FOLLOWERS_A_PAGE);
      const next: Promise<FollowersPage | null> = isLast ? Promise.resolve(null) : pageAfter(page.last, most);
      yield page;
      page = await next;
    }
  }
  return pagesFrom(pageAfter(after, FOLLOWERS_OF_FIRST_PAGE));
}

/** Those of these users who follow the author, of the followers after a surrogate id. */
export async function followersAmong(
  deps: { postgres: Queryable },
  authorId: number,
  after: number,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const { rows } = await deps.postgres.query(sql.followersAmong, [authorId, after, userIds]);
  return rows.map((row) => row.user_id);
}

import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql } from './followers.sql.js';

export const FOLLOWERS_A_PAGE = 5_000;

/** Some followers: the surrogate id of the `last` one, and of each whether they were seen recently enough to have a warm feed. */
export type FollowersPage = RowOf<typeof sql.followers>;

/**
 * An author's followers by surrogate id, page by page; the next page is read while the caller has this one. By id and not
 * by last visit, so that a user who visits meanwhile is not skipped.
 */
export async function* pagesOfFollowers(
  deps: { postgres: Queryable },
  authorId: number,
  after: number,
  activeSince: Date,
): AsyncGenerator<FollowersPage, void> {
  const pageAfter = async (last: number): Promise<FollowersPage> => {
    const asked = [authorId, last, FOLLOWERS_A_PAGE, activeSince];
    return (await deps.postgres.query(sql.followers, asked)).rows[0]!;
  };
  for (let page: FollowersPage | null = await pageAfter(after); page && page.userIds.length > 0; ) {
    const next: Promise<FollowersPage | null> =
      page.userIds.length < FOLLOWERS_A_PAGE ? Promise.resolve(null) : pageAfter(page.last);
    // If the caller fails meanwhile, the next page is not awaited.
    next.catch(() => undefined);
    yield page;
    page = await next;
  }
}

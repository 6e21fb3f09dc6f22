import type { Viewer } from '../../../platform/auth.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { User } from '../types.js';
import { sql } from './follow-pages.sql.js';
import { pageOfList, startOfList } from './list-pages.js';

const pages = {
  followers: { forward: sql.pageFollowers, backward: sql.pageFollowersBack },
  following: { forward: sql.pageFollowing, backward: sql.pageFollowingBack },
};

/**
 * Who follows each of these users, or whom they follow: the newest follow first. Users who are blocked either way with the
 * viewer are left out, and so are their own lists. One statement for all of them.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageFollows(
  deps: { postgres: Queryable },
  side: 'followers' | 'following',
  viewer: Viewer | null,
  userIds: readonly string[],
  page: PageRequest,
): Promise<Connection<User>[]> {
  const { at, id } = startOfList(side, page);
  const { rows } = await deps.postgres.query(pages[side][page.direction], [
    userIds,
    at,
    id,
    page.limit + 1,
    viewer?.userId ?? null,
  ]);
  const byUser = Map.groupBy(rows, (row) => row.of);
  return userIds.map((userId) => pageOfList(side, page, byUser.get(userId) ?? []));
}

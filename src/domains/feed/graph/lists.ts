import type { Viewer } from '../../../platform/auth/auth.js';
import { type Connection, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { type CountedConnection, countUpTo } from '../../../platform/totals.js';
import { userCursors } from '../list-cursors.js';
import type { User } from '../types.js';
import { sql } from './lists.sql.js';

const lists = {
  followers: { forward: sql.pageFollowers, backward: sql.pageFollowersBack },
  following: { forward: sql.pageFollowing, backward: sql.pageFollowingBack },
  muted: { forward: sql.pageMuted, backward: sql.pageMutedBack, all: sql.muted },
  blocked: { forward: sql.pageBlocked, backward: sql.pageBlockedBack, all: sql.blocked },
  closeFriends: {
    forward: sql.pageCloseFriends,
    backward: sql.pageCloseFriendsBack,
    all: sql.closeFriends,
  },
};
const cursors = {
  followers: userCursors('followers'),
  following: userCursors('following'),
  muted: userCursors('muted'),
  blocked: userCursors('blocked'),
  closeFriends: userCursors('closeFriends'),
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
  const { rows } = await deps.postgres.query(lists[side][page.direction], [
    userIds,
    ...cursors[side].startOf(page),
    page.limit + 1,
    viewer?.userId ?? null,
  ]);
  const byUser = Map.groupBy(rows, (row) => row.of);
  return userIds.map((userId) => pageOf(side, page, byUser.get(userId) ?? []));
}

/**
 * Whom a user mutes, blocks, or has as close friends: the latest first. For that user and admins.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageOwnList(
  deps: { postgres: Queryable },
  list: 'muted' | 'blocked' | 'closeFriends',
  { userId }: Pick<Viewer, 'userId'>,
  page: PageRequest,
): Promise<CountedConnection<User>> {
  const { all, [page.direction]: statement } = lists[list];
  const place = cursors[list].startOf(page);
  const { rows } = await deps.postgres.query(statement, [userId, ...place, page.limit + 1]);
  return { ...pageOf(list, page, rows), total: () => countUpTo(deps.postgres, all, [userId]) };
}

/** The page of one list, of at most one row more than it may show. */
function pageOf(
  list: keyof typeof lists,
  page: PageRequest,
  rows: readonly RowOf<typeof sql.pageFollowers>[],
): Connection<User> {
  const { edges, pageInfo } = toConnection(page, rows, ({ since, id }) => cursors[list].write(since, id));
  return { pageInfo, edges: edges.map(({ cursor, node: { of, since, ...node } }) => ({ cursor, node })) };
}

import type { Viewer } from '../../../platform/auth.js';
import type { PageRequest } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { type CountedConnection, countUpTo } from '../../../platform/totals.js';
import type { User } from '../types.js';
import { pageOfList, startOfList } from './list-pages.js';
import { sql } from './own-lists.sql.js';

const lists = {
  muted: { forward: sql.pageMuted, backward: sql.pageMutedBack, all: sql.muted },
  blocked: { forward: sql.pageBlocked, backward: sql.pageBlockedBack, all: sql.blocked },
  closeFriends: {
    forward: sql.pageCloseFriends,
    backward: sql.pageCloseFriendsBack,
    all: sql.closeFriends,
  },
};

/** A list that only the user who keeps it may see. */
export type OwnList = keyof typeof lists;

/**
 * Whom the viewer mutes, blocks, or has as close friends: the latest first. No other user sees these lists.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageOwnList(
  deps: { postgres: Queryable },
  list: OwnList,
  viewer: Viewer,
  page: PageRequest,
): Promise<CountedConnection<User>> {
  const { at, id } = startOfList(list, page);
  const { forward, backward, all } = lists[list];
  const statement = page.direction === 'forward' ? forward : backward;
  const { rows } = await deps.postgres.query(statement, [viewer.userId, at, id, page.limit + 1]);
  return { ...pageOfList(list, page, rows), total: () => countUpTo(deps.postgres, all, [viewer.userId]) };
}

import type { Viewer } from '../../../platform/auth.js';
import type { Connection, PageRequest } from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { User } from '../types.js';
import { type EdgeRow, edgePage, edgePlace } from './edge-cursor.js';

const sql = loadStatements(new URL('./own-lists.sql', import.meta.url), [
  'pageMuted',
  'pageMutedBack',
  'pageBlocked',
  'pageBlockedBack',
  'countMuted',
  'countBlocked',
]);

const lists = {
  muted: { forward: sql.pageMuted, backward: sql.pageMutedBack, count: sql.countMuted },
  blocked: { forward: sql.pageBlocked, backward: sql.pageBlockedBack, count: sql.countBlocked },
};

/**
 * Whom the viewer mutes, or blocks: the latest first. Nobody else ever sees these lists.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageOwnList(
  deps: { postgres: Queryable },
  list: keyof typeof lists,
  viewer: Viewer,
  page: PageRequest,
): Promise<Connection<User> & { readonly totalCount: number }> {
  const { at, id } = edgePlace(list, page);
  const [people, count] = await Promise.all([
    deps.postgres.query<EdgeRow>(lists[list][page.direction], [viewer.userId, at, id, page.limit + 1]),
    deps.postgres.query<{ count: number }>(lists[list].count, [viewer.userId]),
  ]);
  return { ...edgePage(list, page, people.rows), totalCount: count.rows[0]!.count };
}

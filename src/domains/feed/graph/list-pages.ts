import { z } from 'zod';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import { NOW_AND_LATER, type User } from '../types.js';
import { toUser, type UserRow } from './users.js';

/** One line of a list of people: whose list, who, and since when (to the millisecond). */
export interface ListRow extends UserRow {
  readonly of: string;
  readonly since: Date;
}

/** Since when the user is in the list (ms), and their surrogate id. */
const shape = z.tuple([z.int().nonnegative().max(NOW_AND_LATER.at), z.int().nonnegative()]);
const cursors = {
  followers: cursorsOf('followers', shape),
  following: cursorsOf('following', shape),
  muted: cursorsOf('muted', shape),
  blocked: cursorsOf('blocked', shape),
  closeFriends: cursorsOf('closeFriends', shape),
};

/** A list of people. */
type PeopleList = keyof typeof cursors;

/**
 * Where a page of a list of people starts, the newest first.
 *
 * @throws PublicError BAD_CURSOR
 */
export function startOfList(list: PeopleList, page: PageRequest): { readonly at: Date; readonly id: number } {
  const start = page.direction === 'forward' ? [NOW_AND_LATER.at, Number.MAX_SAFE_INTEGER] : [0, 0];
  const [at, id] = cursors[list].read(page.cursor) ?? start;
  return { at: new Date(at!), id: id! };
}

/** The page of one list, of at most one row more than it may show. */
export function pageOfList(list: PeopleList, page: PageRequest, rows: readonly ListRow[]): Connection<User> {
  const cursorOf = (row: ListRow): string => cursors[list].write(row.since.getTime(), row.id);
  const { edges, pageInfo } = toConnection(page, rows, cursorOf);
  return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: toUser(node) })) };
}

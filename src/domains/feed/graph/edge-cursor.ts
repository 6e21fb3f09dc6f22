import { z } from 'zod';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { NOW_AND_LATER, type User } from '../types.js';
import { toUser, type UserRow } from './users.js';

/** One line of a list of people: whose list, who, and since when (to the millisecond). */
export interface EdgeRow extends UserRow {
  readonly of: string;
  readonly since: Date;
}

/** When the edge was made (ms), and the other user's surrogate id. */
const shape = z.tuple([z.int().nonnegative().max(NOW_AND_LATER.at), z.int().nonnegative()]);

/**
 * Where a page of a list of people starts, the newest edge first.
 *
 * @throws PublicError BAD_CURSOR
 */
export function edgePlace(page: PageRequest): { readonly at: Date; readonly id: number } {
  const start = page.direction === 'forward' ? [NOW_AND_LATER.at, Number.MAX_SAFE_INTEGER] : [0, 0];
  const [at, id] = decodeCursor(page.cursor, shape) ?? start;
  return { at: new Date(at!), id: id! };
}

/** The page of one list, of at most one row more than it may show. */
export function edgePage(page: PageRequest, rows: readonly EdgeRow[]): Connection<User> {
  const { edges, pageInfo } = toConnection(page, rows, (row) => encodeCursor(row.since.getTime(), row.id));
  return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: toUser(node) })) };
}

import { type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { type CountedConnection, countUpTo } from '../../../platform/totals.js';
import { postCursors } from '../list-cursors.js';
import type { PostStore } from '../posts/post-store.js';
import type { Post } from '../types.js';
import { sql } from './sponsored-list.sql.js';

/** A sponsored post, and when it runs: now, earlier or later. */
export interface Sponsorship {
  readonly post: Post;
  readonly startsAt: Date;
  /** Null: until it is unsponsored. */
  readonly endsAt: Date | null;
}

const cursors = postCursors('sponsored');

/**
 * All sponsored posts, the latest start first; those that were deleted are left out.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageSponsored(
  deps: { postgres: Queryable; posts: PostStore },
  page: PageRequest,
): Promise<CountedConnection<Sponsorship>> {
  const statement = page.direction === 'forward' ? sql.page : sql.pageBack;
  const { rows } = await deps.postgres.query(statement, [...cursors.startOf(page), page.limit + 1]);
  const posts = await deps.posts.find(rows.map((row) => row.postId));
  const found = new Map(rows.map((row, index) => [row.postId, posts[index]]));
  const { edges, pageInfo } = toConnection(page, rows, (row) => cursors.write(row.startsAt, row.postId));
  return {
    // One that was deleted meanwhile is not there, and does not end the list.
    edges: edges.flatMap(({ cursor, node: { startsAt, endsAt, postId: id } }) => {
      const post = found.get(id);
      return post ? [{ cursor, node: { post, startsAt, endsAt } }] : [];
    }),
    pageInfo,
    total: () => countUpTo(deps.postgres, sql.all, []),
  };
}

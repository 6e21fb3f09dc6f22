import { z } from 'zod';
import type { Viewer } from '../../../platform/auth/auth.js';
import { type Connection, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { COUNTED_EXACTLY, estimate, exactly, type Total } from '../../../platform/totals.js';
import { postCursors } from '../list-cursors.js';
import { sql } from './comments.sql.js';

/** A comment on a post. */
export interface Comment {
  /** UUIDv7 */
  readonly commentId: string;
  readonly postId: string;
  /** User id. */
  readonly authorId: string;
  readonly content: string;
  readonly createdAt: Date;
  /** The comment of the same post that it replies to; null: the post itself. */
  readonly replyToId: string | null;
}

/** The post of a comment, deleted or not. */
export async function findComment(
  deps: { postgres: Queryable },
  commentId: string,
): Promise<{ readonly postId: string } | undefined> {
  const { rows } = await deps.postgres.query(sql.findComment, [commentId]);
  return rows[0];
}

/** Comments that one read of a conversation finds at most. */
const FOUND_AT_ONCE = 5_000;

/**
 * The ids of the replies below these comments, at any depth, 5,000 at most, the deepest first. Deleted ones are left out.
 *
 * @returns `removable`: those whose replies are all among them; `answered`: those with a reply that was not found
 */
export async function findReplies(
  deps: { postgres: Queryable },
  roots: readonly string[],
): Promise<{ readonly removable: readonly string[]; readonly answered: readonly string[] }> {
  const { rows } = await deps.postgres.query(sql.findReplies, [roots, FOUND_AT_ONCE]);
  const kept = new Set<string>();
  for (const { commentId, replyToId, isAnswered } of rows) {
    if (isAnswered) kept.add(commentId);
    if (kept.has(commentId)) kept.add(replyToId);
  }
  // Below one root there may be another.
  const ids = [...new Set(rows.map(({ commentId }) => commentId))];
  const answered = new Set(rows.filter(({ isAnswered }) => isAnswered).map(({ commentId }) => commentId));
  return { removable: ids.filter((id) => !kept.has(id)), answered: [...answered] };
}

/** The comments among `commentIds` that the viewer may see, by id. */
export async function findComments(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  commentIds: readonly string[],
): Promise<Map<string, Comment>> {
  const wellFormed = commentIds.filter((commentId) => z.uuid().safeParse(commentId).success);
  if (wellFormed.length === 0) return new Map();
  const { rows } = await deps.postgres.query(sql.findVisible, [wellFormed, viewer?.userId ?? null]);
  return new Map(rows.map((comment) => [comment.commentId, comment]));
}

/** What comments reply to: posts, or other comments. */
export type CommentsOf = 'posts' | 'comments';

const pages = {
  posts: { forward: sql.pageOfPosts, backward: sql.pageOfPostsBack },
  comments: { forward: sql.pageOfComments, backward: sql.pageOfCommentsBack },
};
const counts = {
  posts: { upTo: sql.countOfPosts, all: sql.allOfPost },
  comments: { upTo: sql.countOfComments, all: sql.allOfComment },
};

const cursors = postCursors('comments');

/**
 * The direct replies to each of these posts or comments, which the viewer may see: oldest first, as a conversation is read.
 * Comments of users who are blocked either way are left out. One statement for all of them.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageComments(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  of: CommentsOf,
  ids: readonly string[],
  page: PageRequest,
): Promise<Connection<Comment>[]> {
  const { rows } = await deps.postgres.query(pages[of][page.direction], [
    ids,
    viewer?.userId ?? null,
    ...cursors.startOf(page, 'oldest'),
    page.limit + 1,
  ]);
  const byParent = Map.groupBy(rows, (row) => row.of);
  return ids.map((parent) =>
    toConnection(
      page,
      (byParent.get(parent) ?? []).map(({ of: _, ...comment }): Comment => comment),
      ({ createdAt, commentId }) => cursors.write(createdAt, commentId),
    ),
  );
}

/**
 * How many comments all pages of each have, for this viewer; where there are very many, an estimate for any viewer.
 * One statement for all of them, and one more for each of the latter.
 */
export async function countComments(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  of: CommentsOf,
  ids: readonly string[],
): Promise<Map<string, Total>> {
  const { upTo, all } = counts[of];
  const { rows } = await deps.postgres.query(upTo, [ids, viewer?.userId ?? null, COUNTED_EXACTLY + 1]);
  const totals = rows.map(async ({ of: id, count, looked }): Promise<[string, Total]> => {
    if (looked <= COUNTED_EXACTLY) return [id, exactly(count)];
    return [id, await estimate(deps.postgres, all, [id], COUNTED_EXACTLY)];
  });
  return new Map(await Promise.all(totals));
}

import { z } from 'zod';
import type { Viewer } from '../../../platform/auth.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { BEGINNING, NOW_AND_LATER } from '../types.js';

const sql = loadStatements(new URL('./comments.sql', import.meta.url), [
  'findComment',
  'findReplies',
  'findVisible',
  'pageOfPosts',
  'pageOfPostsBack',
  'pageOfComments',
  'pageOfCommentsBack',
  'countOfPosts',
  'countOfComments',
]);

/** What somebody said under a post. */
export interface Comment {
  /** UUIDv7 */
  readonly commentId: string;
  readonly postId: string;
  /** User id. */
  readonly authorId: string;
  readonly content: string;
  readonly createdAt: Date;
  /** The comment of the same post that it answers; null: the post itself. */
  readonly replyToId: string | null;
}

interface CommentRow {
  readonly comment_id: string;
  readonly post_id: string;
  readonly author_id: string;
  readonly content: string;
  readonly created_at: Date;
  readonly reply_to_id: string | null;
  readonly [column: string]: unknown;
}

const toComment = (row: CommentRow): Comment => ({
  commentId: row.comment_id,
  postId: row.post_id,
  authorId: row.author_id,
  content: row.content,
  createdAt: row.created_at,
  replyToId: row.reply_to_id,
});

/** Which post a comment stands under, whether it is deleted or not. */
export async function findComment(
  deps: { postgres: Queryable },
  commentId: string,
): Promise<{ readonly postId: string } | undefined> {
  const { rows } = await deps.postgres.query<{ postId: string }>(sql.findComment, [commentId]);
  return rows[0];
}

/** All that answers a comment, and what answers that, the deepest first: their ids. Deleted ones are not there. */
export async function findReplies(deps: { postgres: Queryable }, commentId: string): Promise<string[]> {
  const { rows } = await deps.postgres.query<{ commentId: string }>(sql.findReplies, [commentId]);
  return rows.map((row) => row.commentId);
}

/** The comments among `commentIds` that the viewer may see, by id. */
export async function findComments(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  commentIds: readonly string[],
): Promise<Map<string, Comment>> {
  const wellFormed = commentIds.filter((commentId) => z.uuid().safeParse(commentId).success);
  if (wellFormed.length === 0) return new Map();
  const { rows } = await deps.postgres.query<CommentRow>(sql.findVisible, [
    wellFormed,
    viewer?.userId ?? null,
  ]);
  return new Map(rows.map((row) => [row.comment_id, toComment(row)]));
}

/** What comments answer: posts, or other comments. */
export type CommentsOf = 'posts' | 'comments';

const pages = {
  posts: { forward: sql.pageOfPosts, backward: sql.pageOfPostsBack },
  comments: { forward: sql.pageOfComments, backward: sql.pageOfCommentsBack },
};
const counts = { posts: sql.countOfPosts, comments: sql.countOfComments };

const cursors = cursorsOf('comments', z.tuple([z.int().nonnegative().max(NOW_AND_LATER.at), z.uuid()]));

/**
 * What answers each of these posts or comments, which the viewer may see: oldest first, as a conversation is read. What
 * people say who are blocked either way is left out. One statement for all of them.
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
  const start = page.direction === 'forward' ? BEGINNING : NOW_AND_LATER;
  const [at, id] = cursors.read(page.cursor) ?? [start.at, start.postId];
  const { rows } = await deps.postgres.query<CommentRow & { of: string }>(pages[of][page.direction], [
    ids,
    viewer?.userId ?? null,
    new Date(at),
    id,
    page.limit + 1,
  ]);
  const byParent = Map.groupBy(rows, (row) => row.of);
  return ids.map((parent) =>
    toConnection(page, (byParent.get(parent) ?? []).map(toComment), (comment) =>
      cursors.write(comment.createdAt.getTime(), comment.commentId),
    ),
  );
}

/** How many comments all pages of each hold, for this viewer. One statement for all of them. */
export async function countComments(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  of: CommentsOf,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await deps.postgres.query<{ of: string; total: number }>(counts[of], [
    ids,
    viewer?.userId ?? null,
  ]);
  return new Map(rows.map((row) => [row.of, row.total]));
}

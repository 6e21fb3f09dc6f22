import { z } from 'zod';
import type { Viewer } from '../../../platform/auth.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { findRelations, toUser, type UserRow } from '../graph/users.js';
import { BEGINNING, NOW_AND_LATER, type Post, type PostPlace, type Visibility } from '../types.js';

const sql = loadStatements(new URL('./posts.sql', import.meta.url), [
  'findPosts',
  'pageAuthors',
  'pageAuthorsBack',
]);

interface PostRow extends UserRow {
  readonly post_id: string;
  readonly content: string;
  readonly visibility: Visibility;
  readonly shared_post_id: string | null;
  readonly distribution: Post['distribution'];
  readonly labels: string[];
  readonly fingerprint: string | null;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly like_count: number;
  readonly love_count: number;
  readonly haha_count: number;
  readonly wow_count: number;
  readonly sad_count: number;
  readonly angry_count: number;
  readonly comment_count: number;
  readonly share_count: number;
}

const toPost = (row: PostRow): Post => ({
  postId: row.post_id,
  author: toUser(row),
  content: row.content,
  media: [],
  mediaUrls: [],
  visibility: row.visibility,
  sharedPostId: row.shared_post_id,
  distribution: row.distribution,
  labels: row.labels,
  fingerprint: row.fingerprint === null ? null : BigInt(row.fingerprint),
  createdAt: row.created_at,
  editedAt: row.edited_at,
  likeCount: row.like_count,
  commentCount: row.comment_count,
  shareCount: row.share_count,
  reactionCounts: {
    LIKE: row.like_count,
    LOVE: row.love_count,
    HAHA: row.haha_count,
    WOW: row.wow_count,
    SAD: row.sad_count,
    ANGRY: row.angry_count,
  },
});

const placeCursor = z.tuple([z.int().nonnegative().max(NOW_AND_LATER.at), z.uuid()]);

/** The cursor of a place in time order. */
export const encodePlace = (place: PostPlace): string => encodeCursor(place.at, place.postId);

/** @throws PublicError BAD_CURSOR */
export function decodePlace(cursor: string | null): PostPlace | null {
  const parts = decodeCursor(cursor, placeCursor);
  return parts && { at: parts[0], postId: parts[1] };
}

/** The posts among `postIds` that exist, by id. Whether the viewer may see them is not looked at. */
export async function findPosts(
  deps: { postgres: Queryable },
  postIds: readonly string[],
): Promise<Map<string, Post>> {
  const wellFormed = postIds.filter((postId) => z.uuid().safeParse(postId).success);
  if (wellFormed.length === 0) return new Map();
  const { rows } = await deps.postgres.query<PostRow>(sql.findPosts, [wellFormed]);
  return new Map(rows.map((row) => [row.post_id, toPost(row)]));
}

/** Whether `viewer`, who follows the author or not, may see the post. */
export function maySee(post: Post, viewer: Viewer | null, followsAuthor: boolean): boolean {
  if (post.author.userId === viewer?.userId) return true;
  return post.visibility === 'public' || (post.visibility === 'followers' && followsAuthor);
}

/** The posts among `postIds` that the viewer may see, by id. What he may not see is as if it did not exist. */
export async function findVisiblePosts(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  postIds: readonly string[],
): Promise<Map<string, Post>> {
  const posts = await findPosts(deps, postIds);
  const restricted = [...posts.values()].filter((post) => post.visibility === 'followers');
  const relations =
    viewer && restricted.length > 0
      ? await findRelations(deps, viewer.userId, [...new Set(restricted.map((post) => post.author.userId))])
      : new Map<string, { viewerFollows: boolean }>();
  for (const [postId, post] of posts) {
    if (!maySee(post, viewer, relations.get(post.author.userId)?.viewerFollows ?? false))
      posts.delete(postId);
  }
  return posts;
}

/** Each author's posts that the viewer may see, newest first. Two statements for all of them. */
export async function pageAuthorPosts(
  deps: { postgres: Queryable },
  viewer: Viewer | null,
  authorIds: readonly string[],
  page: PageRequest,
): Promise<Connection<Post>[]> {
  const forward = page.direction === 'forward';
  const place = decodePlace(page.cursor) ?? (forward ? NOW_AND_LATER : BEGINNING);
  const { rows } = await deps.postgres.query<{ author: string; post_id: string }>(
    forward ? sql.pageAuthors : sql.pageAuthorsBack,
    [authorIds, viewer?.userId ?? null, new Date(place.at), place.postId, page.limit + 1],
  );
  const posts = await findPosts(
    deps,
    rows.map((row) => row.post_id),
  );
  const byAuthor = Map.groupBy(rows, (row) => row.author);
  return authorIds.map((authorId) => {
    const found = (byAuthor.get(authorId) ?? []).flatMap((row) => posts.get(row.post_id) ?? []);
    return toConnection(page, found, (post) =>
      encodePlace({ at: post.createdAt.getTime(), postId: post.postId }),
    );
  });
}

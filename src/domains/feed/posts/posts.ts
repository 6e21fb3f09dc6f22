import { validate as isUuid } from 'uuid';
import type { Viewer } from '../../../platform/auth/auth.js';
import { type Connection, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isBlank } from '../../../platform/text.js';
import type { RelationCache } from '../graph/relations.js';
import { postCursors } from '../list-cursors.js';
import type { Post } from '../types.js';
import type { PostStore } from './post-store.js';
import { sql } from './posts.sql.js';

const cursors = postCursors('posts');

/** Whether it shows nothing: no words, and no media that could be processed. Only its author sees it. */
const isEmpty = ({ content, media, sharedPostId }: Post): boolean =>
  sharedPostId === null && media.every(({ state }) => state === 'failed') && isBlank(content);

/** Whether a viewer, who follows the author or not, may see the post; `undefined`: not signed in. */
export function maySee(post: Post, viewerId: string | undefined, followsAuthor: boolean): boolean {
  if (post.author.userId === viewerId) return true;
  if (isEmpty(post)) return false;
  return post.visibility === 'public' || (post.visibility === 'followers' && followsAuthor);
}

/**
 * The posts among `postIds` that the viewer may see, by id in lower case. Posts that they may not see are absent, like ids
 * that do not exist.
 */
export async function findVisiblePosts(
  deps: { posts: PostStore; relations: RelationCache },
  viewer: Viewer | null,
  postIds: readonly string[],
): Promise<Map<string, Post>> {
  const [posts, relations] = await Promise.all([
    deps.posts.find(wellFormed(postIds)),
    viewer && deps.relations.of(viewer.userId),
  ]);
  const visible = new Map<string, Post>();
  for (const post of posts) {
    if (!post) continue;
    const authorId = post.author.userId;
    const follows = relations?.follows.has(authorId) ?? false;
    if (!relations?.blocked.has(authorId) && maySee(post, viewer?.userId, follows))
      visible.set(post.postId, post);
  }
  return visible;
}

const wellFormed = (postIds: readonly string[]): string[] => [
  ...new Set(postIds.filter((postId) => isUuid(postId)).map((postId) => postId.toLowerCase())),
];

/**
 * Each author's posts that the viewer may see, newest first. One statement for all of them.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageAuthorPosts(
  deps: { postgres: Queryable; posts: PostStore },
  viewer: Viewer | null,
  authorIds: readonly string[],
  page: PageRequest,
): Promise<Connection<Post>[]> {
  const { rows } = await deps.postgres.query(sql.pageAuthors, [
    authorIds,
    viewer?.userId ?? null,
    ...cursors.startOf(page),
    page.limit + 1,
    page.direction === 'forward',
  ]);
  const posts = await deps.posts.find(rows.map((row) => row.post_id));
  const found = rows.map((row, index) => ({ row, post: posts[index] }));
  const byAuthor = Map.groupBy(found, ({ row }) => row.author);
  return authorIds.map((authorId) => {
    const { edges, pageInfo } = toConnection(page, byAuthor.get(authorId) ?? [], ({ row }) =>
      cursors.write(row.created_at, row.post_id),
    );
    // One that was deleted meanwhile is not there, and does not end the list.
    const living = edges.flatMap(({ cursor, node: { post } }) => (post ? [{ cursor, node: post }] : []));
    return { edges: living, pageInfo };
  });
}

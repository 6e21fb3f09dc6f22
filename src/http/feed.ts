import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { App } from '../context.js';
import type { Post, PostPlace, RestPage } from '../domains/feed/index.js';
import type { OpenRequest } from '../edge/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import { DEFAULT_PAGE, MAX_PAGE } from '../platform/paging.js';
import { malformed } from './malformed.js';
import { dateTime, type RestDocument } from './rest-document.js';

interface Deps {
  readonly app: { readonly feed: Pick<App['feed'], 'findVisiblePosts' | 'readRestPage' | 'signIn'> };
  readonly openRequest: OpenRequest;
}

const query = z.strictObject({
  cursor: z
    .string()
    .optional()
    .describe('`timestamp` or `timestamp:post_id`, as `next_cursor` has it. Absent: the newest.'),
  limit: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(MAX_PAGE))
    .optional()
    .describe(`How many posts: 1 to ${MAX_PAGE}. Absent: ${DEFAULT_PAGE}.`),
});

const pageSchema = z.object({
  posts: z.array(
    z.object({
      post_id: z.string(),
      user_id: z.string(),
      content: z.string(),
      media_urls: z.array(z.string()).readonly(),
      created_at: dateTime('When it was published.'),
      edited_at: dateTime('Null where it was never edited.').nullable(),
      visibility: z.enum(['public', 'followers', 'private']),
      like_count: z.int(),
      share_count: z.int(),
      comment_count: z.int(),
      author: z.object({
        user_id: z.string(),
        display_name: z.string(),
        avatar_url: z.string().nullable(),
        is_verified: z.boolean(),
      }),
      shared_post_id: z
        .string()
        .nullable()
        .describe('The post that it shares, if the viewer may see that one.'),
      is_sponsored: z.boolean(),
    }),
  ),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` for the next page.'),
  has_more: z.boolean(),
});

const rest: RestDocument = {
  operationId: 'readFeed',
  tag: 'Feed',
  summary: "Reads a page of the caller's feed, ranked.",
  query,
  answers: { 200: { description: 'The page.', schema: pageSchema } },
};

const cursorForm = /^(\d{1,16})(?::([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?$/;
/** In milliseconds this is 1973, in seconds the year 5138: no post was or will be there. */
const SECONDS_BELOW = 100_000_000_000;
const LATEST_TIME = 8_640_000_000_000_000;
/** A bare time stands before all posts of its millisecond: what follows is strictly older. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * GET /api/v1/feed?cursor&limit: 200 `{ posts, next_cursor, has_more }`, the viewer's feed as the feed document has it.
 * Refusals are `{"error":{"code","message","path"}}`: 400 BAD_CURSOR and BAD_USER_INPUT, 401 UNAUTHENTICATED.
 */
export function registerFeedRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/v1/feed', { config: { rest } }, async (request, reply) => {
    const { viewer } = callerOf(await deps.openRequest(request, reply));
    const read = query.safeParse(request.query);
    if (!read.success) {
      throw new PublicError(
        'BAD_USER_INPUT',
        `limit is 1 to ${MAX_PAGE}; cursor and limit are all there is`,
        malformed(read.error).path,
      );
    }
    await deps.app.feed.signIn(viewer.userId);
    const { cursor, limit = DEFAULT_PAGE } = read.data;
    const below = cursor === undefined ? null : placeOf(cursor);
    const page = await deps.app.feed.readRestPage(viewer, below, limit);
    const shared = page.posts.flatMap(({ post }) => post.sharedPostId ?? []);
    const visible = shared.length === 0 ? null : await deps.app.feed.findVisiblePosts(viewer, shared);
    return reply.send(toResponse(page, (postId) => visible?.has(postId) ?? false));
  });
}

/**
 * `timestamp` or `timestamp:post_id`, in seconds or milliseconds.
 *
 * @throws PublicError BAD_CURSOR
 */
function placeOf(cursor: string): PostPlace {
  const [, time, postId = BEFORE_ALL] = cursorForm.exec(cursor.toLowerCase()) ?? [];
  const at = Number(time) < SECONDS_BELOW ? Number(time) * 1000 : Number(time);
  if (time === undefined || at > LATEST_TIME) {
    throw new PublicError('BAD_CURSOR', 'A cursor is timestamp or timestamp:post_id', ['cursor']);
  }
  return { at, postId };
}

const toResponse = (
  { posts, next }: RestPage,
  isVisible: (postId: string) => boolean,
): z.infer<typeof pageSchema> => ({
  posts: posts.map(({ post, isSponsored }) => ({
    ...toDocument(post),
    // A post that the viewer may not see is shown as absent.
    shared_post_id: post.sharedPostId !== null && isVisible(post.sharedPostId) ? post.sharedPostId : null,
    is_sponsored: isSponsored,
  })),
  next_cursor: next && `${next.at}:${next.postId}`,
  has_more: next !== null,
});

/** The document's post, and what it leaves out that a reader needs. */
const toDocument = (post: Post) => ({
  post_id: post.postId,
  user_id: post.author.userId,
  content: post.content,
  media_urls: post.mediaUrls,
  created_at: post.createdAt,
  edited_at: post.editedAt,
  visibility: post.visibility,
  like_count: post.likeCount,
  share_count: post.shareCount,
  comment_count: post.commentCount,
  author: {
    user_id: post.author.userId,
    display_name: post.author.displayName,
    avatar_url: post.author.avatarUrl,
    is_verified: post.author.isVerified,
  },
});

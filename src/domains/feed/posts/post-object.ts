import { z } from 'zod';
import { type MediaRow, toMedia } from '../media/media.js';
import { type Post, type PostCounts, REACTION_KINDS, type User, VISIBILITIES } from '../types.js';

const mediaShape = z.object({
  media_id: z.string(),
  kind: z.enum(['image', 'video']),
  state: z.enum(['receiving', 'uploaded', 'processing', 'ready', 'failed', 'removing']),
  storage_key: z.string(),
  renditions: z.array(
    z.object({
      name: z.string(),
      width: z.number().nullable(),
      height: z.number().nullable(),
      key: z.string(),
    }),
  ),
  failure_reason: z.string().nullable(),
}) satisfies z.ZodType<MediaRow>;

/** What of a post is cached as one object: all but what changes of its own accord, its author and its counts. */
export const postObjectShape = z.strictObject({
  postId: z.uuid(),
  authorId: z.string(),
  content: z.string(),
  visibility: z.enum(VISIBILITIES),
  sharedPostId: z.uuid().nullable(),
  distribution: z.enum(['push', 'pull']),
  labels: z.array(z.string()),
  /** Decimal, signed 64 bits: JSON has no such number. */
  fingerprint: z.stringFormat('int64', /^-?\d{1,19}$/).nullable(),
  /** Milliseconds since the epoch. */
  createdAt: z.int(),
  editedAt: z.int().nullable(),
  /** Rows, so that another CDN_URL needs no other cache. */
  media: z.array(mediaShape),
});
export type PostObject = Readonly<z.infer<typeof postObjectShape>>;

const UNCOUNTED: PostCounts = {
  reactions: Object.fromEntries(REACTION_KINDS.map((kind) => [kind, 0])) as PostCounts['reactions'],
  comments: 0,
  shares: 0,
};

/** What is cached of a post, and the post that it was last put together to: most pages meet it unchanged. */
export class CachedPost {
  private last: { readonly author: User; readonly counts: PostCounts; readonly post: Post } | undefined;

  constructor(
    readonly object: PostObject,
    private readonly cdnUrl: string,
  ) {}

  /**
   * The same post again for the same author and counts.
   *
   * @param counts absent for a post without reactions, comments and shares
   */
  with(author: User, counts = UNCOUNTED): Post {
    if (this.last?.author !== author || this.last.counts !== counts)
      this.last = { author, counts, post: toPost(this.object, author, counts, this.cdnUrl) };
    return this.last.post;
  }
}

/** Two pictures, or two shared posts, may stand under the same words. */
const comparedBy = ({ fingerprint, media, sharedPostId }: PostObject): bigint | null =>
  fingerprint === null || media.length > 0 || sharedPostId !== null ? null : BigInt(fingerprint);

function toPost(object: PostObject, author: User, counts: PostCounts, cdnUrl: string): Post {
  const media = object.media.map((row) => toMedia(row, cdnUrl));
  return {
    postId: object.postId,
    author,
    content: object.content,
    media,
    mediaUrls: media.flatMap(({ url }) => url ?? []),
    visibility: object.visibility,
    sharedPostId: object.sharedPostId,
    distribution: object.distribution,
    labels: object.labels,
    fingerprint: comparedBy(object),
    createdAt: new Date(object.createdAt),
    editedAt: object.editedAt === null ? null : new Date(object.editedAt),
    likeCount: counts.reactions.LIKE,
    commentCount: counts.comments,
    shareCount: counts.shares,
    reactionCounts: counts.reactions,
  };
}

import { z } from 'zod';
import { defineInlineProjections } from '../../platform/event-log/define-inline-projections.js';

const id = z.string();
const ids = z.array(id).readonly();
/** User ids; absent: none. */
const mentions = ids.exactOptional();
/** What is found in a text. */
const found = {
  mentions,
  /** Null where it has none, or previews are off. */
  link: z.string().nullable(),
  labels: z.array(z.string()).readonly(),
  /** Decimal, 64 bits signed. */
  fingerprint: z.string().nullable(),
};
const follow = z.object({ followerId: id, followeeId: id });
const mute = z.object({ userId: id, mutedId: id });
const block = z.object({ userId: id, blockedId: id });

/** The feed's rows, written in the transaction of their events. The SQL functions are `prisma/functions/guard_<name>.sql`. */
export const feedProjections = defineInlineProjections({
  publish_post: z.object({
    postId: id,
    authorId: id,
    content: z.string(),
    visibility: z.string(),
    mediaIds: ids,
    sharedPostId: id.nullable(),
    viaPostId: id.nullable(),
    ...found,
  }),
  edit_post: z.object({ postId: id, editorId: id, content: z.string(), ...found }),
  delete_post: z.object({ postId: id, userId: id, isAdmin: z.boolean() }),
  finish_media: z.object({ mediaId: id }),
  react_to_post: z.object({ postId: id, userId: id, kind: z.string() }),
  /** `kind`: only where it is this one; absent: whichever it is. */
  remove_reaction: z.object({ postId: id, userId: id, kind: z.string().exactOptional() }),
  add_comment: z.object({
    commentId: id,
    postId: id,
    authorId: id,
    content: z.string(),
    replyToId: id.exactOptional(),
    mentions,
  }),
  /** `atOnce`: how many comments one command deletes at most. */
  delete_comment: z.object({ commentId: id, userId: id, isAdmin: z.boolean(), atOnce: z.int() }),
  delete_replies: z.object({ postId: id, replies: ids }),
  follow_user: follow,
  unfollow_user: follow,
  mute_user: mute,
  unmute_user: mute,
  block_user: block,
  unblock_user: block,
  set_muted_keywords: z.object({ userId: id, keywords: z.array(z.string()).readonly() }),
});

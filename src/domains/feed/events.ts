import { z } from 'zod';
import { type Caller, metadataOf } from '../../platform/auth/caller.js';
import { defineEvents, type EventOf, schemaVersion } from '../../platform/event-log/define-events.js';
import type { EventLog, InlineProjection, StreamAppend } from '../../platform/event-log/index.js';

const version = schemaVersion;
const postId = z.uuid();
const userId = z.string();
/** The user ids that a text mentions; absent where there are none, and in events older than mentions. */
const mentions = z.array(userId).readonly().exactOptional();

const ofComment = z.object({ commentId: z.uuid(), postId, version });
const follow = z.object({ followerId: userId, followeeId: userId, version });
const mute = z.object({ userId, mutedId: userId, version });
const block = z.object({ userId, blockedId: userId, version });

/** Everything that happens in the feed. */
export const feedEvents = defineEvents({
  PostPublished: z.object({
    postId,
    authorId: userId,
    content: z.string(),
    /** A `Visibility`; any text is read, since newer processes may write others. */
    visibility: z.string(),
    /** Absent where there are none. */
    mediaIds: z.array(z.string()).readonly().exactOptional(),
    /** Absent where it shares none. */
    sharedPostId: postId.nullable().exactOptional(),
    mentions,
    version,
  }),
  /** `mentions`: those that the text before did not mention. */
  PostEdited: z.object({ postId, authorId: userId, content: z.string(), mentions, version }),
  PostDeleted: z.object({ postId, authorId: userId, version }),
  /** `kind`: a `ReactionKind`; any text is read, since newer processes may write others. */
  PostReacted: z.object({ postId, userId, kind: z.string(), version }),
  ReactionRemoved: z.object({ postId, userId, version }),
  PostCommented: z.object({
    commentId: z.uuid(),
    postId,
    authorId: userId,
    /** The comment that it replies to; absent where it comments on the post itself. */
    replyToId: z.string().exactOptional(),
    mentions,
    version,
  }),
  /** A comment, and every reply below it. */
  CommentDeleted: ofComment,
  /** Some of the replies below a comment, which has too many for one command. */
  RepliesDeleted: ofComment,
  MediaFinished: z.object({
    mediaId: z.uuid(),
    ownerId: userId,
    state: z.string(),
    failureReason: z.string().nullable(),
    version,
  }),
  UserFollowed: follow,
  UserUnfollowed: follow,
  UserMuted: mute,
  UserUnmuted: mute,
  UserBlocked: block,
  UserUnblocked: block,
  /** What the keywords are is not in the log. */
  MutedKeywordsSet: z.object({ userId, version }),
});

export type FeedEvent = EventOf<typeof feedEvents>;
/** Every type of event that the feed appends to the log. */
export const feedEventTypes: readonly string[] = [...feedEvents.types];

/** Appends an event to its stream: the post's, the upload's, or the acting user's. */
export const appendOf = (event: FeedEvent): StreamAppend => ({
  streamId: streamOf(event),
  expected: event.type === 'PostPublished' ? 'none' : 'any',
  events: [event],
});

/** Appends the event of a command that may be repeated: it is accepted, or refused by its inline projection. */
export async function append(
  { log }: { readonly log: Pick<EventLog, 'append'> },
  caller: Caller,
  event: FeedEvent,
  inlineProjection: InlineProjection,
) {
  const metadata = metadataOf(caller, caller.correlationId);
  const result = await log.append({ appends: [appendOf(event)], metadata, inlineProjection });
  if (result.kind === 'accepted' || result.kind === 'refused') return result;
  throw new Error(`${event.type} was not accepted: ${result.kind}`);
}

function streamOf({ data }: FeedEvent): string {
  if ('postId' in data) return `Post-${data.postId}`;
  if ('mediaId' in data) return `Media-${data.mediaId}`;
  return `User-${'followerId' in data ? data.followerId : data.userId}`;
}

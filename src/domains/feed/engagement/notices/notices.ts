import { z } from 'zod';
import type { RecordedEvent } from '../../../../platform/event-log/index.js';
import { defineOutboxKind, type Outbox, type OutboxEntry } from '../../../../platform/outbox/index.js';
import { loadStatements, type Queryable } from '../../../../platform/postgres.js';
import { tellOfNoticesTask } from '../tasks.js';

const sql = loadStatements(new URL('./notices.sql', import.meta.url), ['wanted']);

/** Notification types that the feed sends. */
export const NOTICE_TYPES = [
  'POST_LIKED',
  'POST_COMMENTED',
  'COMMENT_REPLY',
  'POST_SHARED',
  'NEW_POST',
  'NEW_FOLLOWER',
  'USER_MENTIONED',
] as const;
export type NoticeType = (typeof NOTICE_TYPES)[number];

const notice = z.object({
  /** The log position of the event. */
  position: z.int(),
  type: z.enum(NOTICE_TYPES),
  /** User id of whoever did it. */
  actor: z.string(),
  /** A post, a comment or a user: see the audience of its type. */
  subject: z.string(),
});
/** What a user has still to be notified of. */
export type Notice = z.infer<typeof notice>;

/** Notices that are not sent yet. One job sends all that are due, many at once. */
export const noticeOutbox = defineOutboxKind({
  name: 'feed.notice',
  payload: notice,
  keyOf: ({ position, type }) => `${position}:${type}`,
  dueAfterMs: 0,
  enqueue: ({ queues }, notices) =>
    queues.enqueueMany(
      tellOfNoticesTask,
      notices.slice(-1).map(({ correlationId }) => ({
        payload: {},
        options: { correlationId, deduplicationId: 'due' },
      })),
    ),
});

const reacted = z.object({ postId: z.uuid(), userId: z.string() });
const mentions = z.array(z.string()).optional();
const commented = z.object({ commentId: z.uuid(), authorId: z.string(), mentions });
const edited = z.object({ postId: z.uuid(), authorId: z.string(), mentions });
const published = z.object({
  postId: z.uuid(),
  authorId: z.string(),
  mentions,
  sharedPostId: z.uuid().nullish(),
});
const followed = z.object({ followerId: z.string(), followeeId: z.string() });

/** The events that somebody may be told of. */
export const toldEventTypes: ReadonlySet<string> = new Set([
  'PostReacted',
  'PostCommented',
  'PostPublished',
  'PostEdited',
  'UserFollowed',
]);

/** What is to be told of an event. Whether there is anybody to tell is seen when it is told. */
export function noticesOf(
  event: RecordedEvent,
  options: { readonly closeFriends: boolean },
): OutboxEntry<Notice>[] {
  const entry = (type: NoticeType, actor: string, subject: string): OutboxEntry<Notice> => ({
    payload: { position: event.globalPosition, type, actor, subject },
    correlationId: event.metadata.correlationId,
  });
  const mentioned = (actor: string, subject: string, whom: readonly string[] = []) =>
    whom.length > 0 ? [entry('USER_MENTIONED', actor, subject)] : [];
  switch (event.type) {
    case 'PostReacted': {
      const { userId, postId } = reacted.parse(event.data);
      return [entry('POST_LIKED', userId, postId)];
    }
    case 'PostCommented': {
      const data = commented.parse(event.data);
      const { authorId, commentId } = data;
      return [
        entry('POST_COMMENTED', authorId, commentId),
        entry('COMMENT_REPLY', authorId, commentId),
        ...mentioned(authorId, commentId, data.mentions),
      ];
    }
    case 'PostPublished': {
      const { authorId, postId, sharedPostId, ...data } = published.parse(event.data);
      return [
        ...mentioned(authorId, postId, data.mentions),
        ...(sharedPostId ? [entry('POST_SHARED', authorId, postId)] : []),
        ...(options.closeFriends ? [entry('NEW_POST', authorId, postId)] : []),
      ];
    }
    case 'PostEdited': {
      const data = edited.parse(event.data);
      return mentioned(data.authorId, data.postId, data.mentions);
    }
    case 'UserFollowed': {
      const { followerId, followeeId } = followed.parse(event.data);
      return [entry('NEW_FOLLOWER', followerId, followeeId)];
    }
    default:
      return [];
  }
}

/** Adds what somebody may wait to hear of to the outbox; in the transaction that passes the events. */
export async function addNotices(
  outbox: Pick<Outbox, 'add'>,
  tx: Queryable,
  notices: readonly OutboxEntry<Notice>[],
): Promise<() => Promise<void>> {
  if (notices.length === 0) return outbox.add(tx, noticeOutbox, []);
  const payloads = notices.map(({ payload }) => payload);
  const { rows } = await tx.query<{ n: number }>(sql.wanted, [
    payloads.map(({ type }) => type),
    payloads.map(({ actor }) => actor),
    payloads.map(({ subject }) => subject),
    payloads.map(({ position }) => position),
  ]);
  return outbox.add(
    tx,
    noticeOutbox,
    rows.map(({ n }) => notices[n - 1]!),
  );
}

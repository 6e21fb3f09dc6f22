import { z } from 'zod';
import type { RecordedEvent } from '../../../../platform/event-log/index.js';
import { defineOutboxKind, type Outbox, type OutboxEntry } from '../../../../platform/outbox/index.js';
import type { Queryable } from '../../../../platform/postgres/postgres.js';
import { defineTask } from '../../../../platform/queues/queues.js';
import type { FeedConfig } from '../../config.js';
import { feedEvents } from '../../events.js';
import { sql } from './notices.sql.js';

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
  /** The user id of the one who did it. */
  actor: z.string(),
  /** A post, a comment or a user: see the audience of its type. */
  subject: z.string(),
  /** It was taken back: nobody is notified, and what stands for several does not count it any more. */
  isUndone: z.literal(true).exactOptional(),
});
/** What users are still to be notified of. */
export type Notice = z.infer<typeof notice>;

/** Sends the notices that are due. Its name in the queue is that of processes before this one. */
export const sendNoticesTask = defineTask({
  name: 'tell-of-notices',
  // Of its own, so that nothing waits for notifications.
  queue: 'feed.notify',
  payload: z.object({}),
});

/** Notices that are not sent yet. One job sends all that are due, many at once. */
export const noticeOutbox = defineOutboxKind({
  name: 'feed.notice',
  payload: notice,
  keyOf: ({ position, type }) => `${position}:${type}`,
  dueAfterMs: 0,
  enqueue: ({ queues }, notices) =>
    queues.enqueueMany(
      sendNoticesTask,
      notices.slice(-1).map(({ correlationId }) => ({
        payload: {},
        options: { correlationId, deduplicationId: 'due' },
      })),
    ),
});

/** The events that users may be notified of. */
export const noticeEvents = feedEvents.only(
  'PostReacted',
  'ReactionRemoved',
  'PostCommented',
  'PostPublished',
  'PostEdited',
  'UserFollowed',
);

/** The notices of an event. Their recipients are found when they are sent. */
function noticesOf(
  recorded: RecordedEvent,
  { notifyCloseFriends }: Pick<FeedConfig, 'notifyCloseFriends'>,
): OutboxEntry<Notice>[] {
  const entry = (type: NoticeType, actor: string, subject: string): OutboxEntry<Notice> => ({
    payload: { position: recorded.globalPosition, type, actor, subject },
    correlationId: recorded.metadata.correlationId,
  });
  const mentioned = (actor: string, subject: string, whom: readonly string[] = []) =>
    whom.length > 0 ? [entry('USER_MENTIONED', actor, subject)] : [];
  const { type, data } = noticeEvents.read(recorded);
  switch (type) {
    case 'PostReacted':
      return [entry('POST_LIKED', data.userId, data.postId)];
    case 'ReactionRemoved': {
      const { payload, correlationId } = entry('POST_LIKED', data.userId, data.postId);
      return [{ payload: { ...payload, isUndone: true }, correlationId }];
    }
    case 'PostCommented':
      return [
        entry('POST_COMMENTED', data.authorId, data.commentId),
        entry('COMMENT_REPLY', data.authorId, data.commentId),
        ...mentioned(data.authorId, data.commentId, data.mentions),
      ];
    case 'PostPublished':
      return [
        ...mentioned(data.authorId, data.postId, data.mentions),
        ...(data.sharedPostId ? [entry('POST_SHARED', data.authorId, data.postId)] : []),
        ...(notifyCloseFriends ? [entry('NEW_POST', data.authorId, data.postId)] : []),
      ];
    case 'PostEdited':
      return mentioned(data.authorId, data.postId, data.mentions);
    case 'UserFollowed':
      return [entry('NEW_FOLLOWER', data.followerId, data.followeeId)];
    default:
      return type satisfies never;
  }
}

/**
 * Adds the notices of events to the outbox, in the transaction that passes the events.
 *
 * @returns enqueues their job; called after the commit
 */
export async function addNotices(
  { outbox, config }: { outbox: Pick<Outbox, 'add'>; config: Pick<FeedConfig, 'notifyCloseFriends'> },
  tx: Queryable,
  events: readonly RecordedEvent[],
): Promise<() => Promise<void>> {
  const notices = events.flatMap((event) => noticesOf(event, config));
  if (notices.length === 0) return outbox.add(tx, noticeOutbox, []);
  const payloads = notices.map(({ payload }) => payload);
  const { rows } = await tx.query(sql.wanted, [
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

import { z } from 'zod';
import type { RecordedEvent } from '../../../../platform/event-log/index.js';
import {
  causedBy,
  defineOutboxKind,
  type Outbox,
  type OutboxEntry,
} from '../../../../platform/outbox/index.js';
import type { Queryable } from '../../../../platform/postgres/postgres.js';
import type { FeedConfig } from '../../config.js';
import { feedEvents } from '../../events.js';
import { sql } from './notices.sql.js';
import { enqueueSending } from './send-task.js';
import { undoneReactionOutbox, undoneReactionsOf } from './undone.js';

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

/** What users are still to be notified of. */
export interface Notice {
  /** The log position of the event. */
  readonly position: number;
  readonly type: NoticeType;
  /** The user id of the one who did it. */
  readonly actor: string;
  /** A post, a comment or a user: see the audience of its type. */
  readonly subject: string;
}

/** Notices that are not sent yet. */
export const noticeOutbox = defineOutboxKind({
  name: 'feed.notice',
  payload: { position: z.int(), type: z.enum(NOTICE_TYPES), actor: z.string(), subject: z.string() },
  keyOf: ({ position, type }) => `${position}:${type}`,
  dueAfterMs: 0,
  enqueue: enqueueSending,
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
    ...causedBy(recorded.metadata),
  });
  const mentioned = (actor: string, subject: string, whom: readonly string[] = []) =>
    whom.length > 0 ? [entry('USER_MENTIONED', actor, subject)] : [];
  const { type, data } = noticeEvents.read(recorded);
  switch (type) {
    case 'PostReacted':
      return [entry('POST_LIKED', data.userId, data.postId)];
    case 'ReactionRemoved':
      return [];
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
 * Adds the notices of events to the outbox, and reactions that they undo, in the transaction that passes the events.
 *
 * @returns enqueues their job; called after the commit
 */
export async function addNotices(
  { outbox, config }: { outbox: Pick<Outbox, 'add'>; config: Pick<FeedConfig, 'notifyCloseFriends'> },
  tx: Queryable,
  events: readonly RecordedEvent[],
): Promise<() => Promise<void>> {
  const notices = events.flatMap((event) => noticesOf(event, config));
  const undone = events.flatMap(undoneReactionsOf);
  const enqueueNotices = await outbox.add(tx, noticeOutbox, await wanted(tx, notices));
  const enqueueUndone = await outbox.add(tx, undoneReactionOutbox, undone);
  return async () => {
    await Promise.all([enqueueNotices(), enqueueUndone()]);
  };
}

/** Those that may have recipients. */
async function wanted(
  tx: Queryable,
  notices: readonly OutboxEntry<Notice>[],
): Promise<readonly OutboxEntry<Notice>[]> {
  if (notices.length === 0) return [];
  const payloads = notices.map(({ payload }) => payload);
  const { rows } = await tx.query(sql.wanted, [
    payloads.map(({ type }) => type),
    payloads.map(({ actor }) => actor),
    payloads.map(({ subject }) => subject),
    payloads.map(({ position }) => position),
  ]);
  return rows.map(({ n }) => notices[n - 1]!);
}

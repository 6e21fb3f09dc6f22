import { z } from 'zod';
import type { RecordedEvent } from '../../../../platform/event-log/index.js';
import type { LookBack } from '../../../../platform/look-back.js';
import { loadStatements, type Queryable } from '../../../../platform/postgres.js';

const sql = loadStatements(new URL('./notices.sql', import.meta.url), ['note', 'claim', 'settle']);

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

/** What somebody is still to be told of. */
export interface Notice {
  /** The log position of the event. */
  readonly position: number;
  readonly type: NoticeType;
  /** User id of whoever did it. */
  readonly actor: string;
  /** A post, a comment or a user: see the audience of its type. */
  readonly subject: string;
  readonly correlationId: string;
}

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
export function noticesOf(event: RecordedEvent, options: { readonly closeFriends: boolean }): Notice[] {
  const notice = (type: NoticeType, actor: string, subject: string): Notice => ({
    position: event.globalPosition,
    type,
    actor,
    subject,
    correlationId: event.metadata.correlationId,
  });
  const mentioned = (actor: string, subject: string, whom: readonly string[] = []): Notice[] =>
    whom.length > 0 ? [notice('USER_MENTIONED', actor, subject)] : [];
  switch (event.type) {
    case 'PostReacted': {
      const { userId, postId } = reacted.parse(event.data);
      return [notice('POST_LIKED', userId, postId)];
    }
    case 'PostCommented': {
      const data = commented.parse(event.data);
      const { authorId, commentId } = data;
      return [
        notice('POST_COMMENTED', authorId, commentId),
        notice('COMMENT_REPLY', authorId, commentId),
        ...mentioned(authorId, commentId, data.mentions),
      ];
    }
    case 'PostPublished': {
      const { authorId, postId, sharedPostId, ...data } = published.parse(event.data);
      return [
        ...mentioned(authorId, postId, data.mentions),
        ...(sharedPostId ? [notice('POST_SHARED', authorId, postId)] : []),
        ...(options.closeFriends ? [notice('NEW_POST', authorId, postId)] : []),
      ];
    }
    case 'PostEdited': {
      const data = edited.parse(event.data);
      return mentioned(data.authorId, data.postId, data.mentions);
    }
    case 'UserFollowed': {
      const { followerId, followeeId } = followed.parse(event.data);
      return [notice('NEW_FOLLOWER', followerId, followeeId)];
    }
    default:
      return [];
  }
}

/** Notes what is to be told, whatever becomes of Redis; in the transaction that passes the events. */
export async function noteNotices(tx: Queryable, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await tx.query(sql.note, [
    notices.map(({ position }) => position),
    notices.map(({ type }) => type),
    notices.map(({ actor }) => actor),
    notices.map(({ subject }) => subject),
    notices.map(({ correlationId }) => correlationId),
  ]);
}

/** Takes up what is due, `limit` at most: nobody else does for the next 10 s, or for longer where it failed before. */
export async function claimNotices(
  { postgres, lookBack }: { readonly postgres: Queryable; readonly lookBack: LookBack },
  limit: number,
): Promise<readonly Notice[]> {
  return lookBack.look(
    async (backMs) =>
      (await postgres.query<Notice & { [column: string]: unknown }>(sql.claim, [limit, backMs])).rows,
    (claimed) => claimed.length < limit,
  );
}

/** There is nothing more to tell of these. */
export async function settleNotices(postgres: Queryable, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  await postgres.query(sql.settle, [
    notices.map(({ position }) => position),
    notices.map(({ type }) => type),
  ]);
}

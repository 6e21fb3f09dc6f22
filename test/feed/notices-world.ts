import { Registry } from 'prom-client';
import { makeTemplates } from '../../src/demo/templates.js';
import type { Engagement } from '../../src/domains/feed/engagement/index.js';
import {
  NOTICE_TYPES,
  noticeEvents,
  noticeOutbox,
} from '../../src/domains/feed/engagement/notices/notices.js';
import type { SendMessage } from '../../src/domains/feed/engagement/notices/send.js';
import { undoneReactionOutbox } from '../../src/domains/feed/engagement/notices/undone.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { feedMessagesThrough } from '../../src/send-messages.js';
import { aTemplate, openNotificationWorld, unique } from '../notifications/notification-world.js';
import { silent } from '../notifications/with-sandbox.js';
import { keysOf, makeDue } from '../support/outbox.js';
import { callerOf, engagementOn, fixtures } from './engagement-world.js';

export const forever = new AbortController().signal;

export type NoticesWorld = Awaited<ReturnType<typeof openNoticesWorld>>;

/** Engagement with the notifications that follow from it, on a world of its own. */
export async function openNoticesWorld() {
  const world = await openNotificationWorld();
  const { postgres, notifications } = world;
  const rows = fixtures(postgres);
  const log = createEventLog({ postgres, ids: uuidV7Ids(systemClock) });
  const messages = feedMessagesThrough(notifications);
  const { send } = messages;
  const metrics = new Registry();
  const engagement = engagementOn({ ...world, log }, { metrics });
  for (const { type, channel, language, title, body, variables } of makeTemplates())
    if (NOTICE_TYPES.some((one) => one === type) && channel === 'in_app' && language === 'en')
      await aTemplate(world, 'in_app', type, { title: title!, body, variables });
  world.runSchedules();
  world.work({ providers: { close: async () => undefined } });
  let passed = 0;

  const append = (streamId: string, userId: string, type: string, data: Record<string, string | number>) =>
    log.append({
      appends: [{ streamId, expected: 'any', events: [{ type, data }] }],
      metadata: { correlationId: 'test', causationId: 'test', userId },
    });

  return {
    postgres,
    notifications,
    rows,
    send,
    messages,
    metrics,
    engagement,
    withoutFriends: engagementOn({ ...world, log }, { notifyCloseFriends: false }),

    /** Four people whom no other test has met. */
    async people(): Promise<[string, string, string, string]> {
      const four = [unique('ann'), unique('ben'), unique('cat'), unique('dan')] as [
        string,
        string,
        string,
        string,
      ];
      await rows.users(...four);
      return four;
    },
    /** The events since the last time. */
    async passEvents() {
      const { events, through } = await log.readAll(passed, 1_000, { types: [...noticeEvents.types] });
      passed = through;
      return events;
    },
    /** What the projector and the job do with what happened since the last time. */
    async notify(through: SendMessage = send, by: Engagement = engagement): Promise<void> {
      const events = await this.passEvents();
      await postgres.transaction((tx) => by.addNotices(tx, events));
      await by.sendNotices({ ...messages, send: through }, silent, forever);
    },
    async skipEvents(): Promise<void> {
      passed = await log.head();
    },
    async waiting(): Promise<number> {
      const keys = await Promise.all(
        [noticeOutbox, undoneReactionOutbox].map((kind) => keysOf(postgres, kind)),
      );
      return keys.flat().length;
    },
    async age(): Promise<void> {
      await makeDue(postgres, noticeOutbox);
      await makeDue(postgres, undoneReactionOutbox);
    },
    /** What was sent to somebody, by type, in the order in which it was asked for. */
    async sentTo(userId: string): Promise<string[]> {
      const { rows: found } = await postgres.query<{ type: string }>(
        `SELECT r.type FROM deliveries d JOIN notification_requests r USING (request_id)
         WHERE d.user_id = $1 AND d.channel = 'in_app' ORDER BY d.created_at, d.delivery_id`,
        [userId],
      );
      return found.map(({ type }) => type);
    },
    like: (userId: string, postId: string) => engagement.reactToPost(callerOf(userId), postId, 'LIKE'),
    unlike: (userId: string, postId: string) => engagement.removeReaction(callerOf(userId), postId),
    async comment(
      userId: string,
      postId: string,
      replyToId: string | null = null,
      content = 'Well said',
    ): Promise<string> {
      const added = await engagement.addComment(callerOf(userId), { postId, content, replyToId });
      if (!added.ok) throw new Error(JSON.stringify(added.errors));
      return added.value;
    },
    /** As publishing writes it. */
    async published(authorId: string, postId: string, sharedPostId?: string): Promise<void> {
      const data = { postId, authorId, content: 'x', visibility: 'public', version: 1 };
      await append(`Post-${postId}`, authorId, 'PostPublished', {
        ...data,
        ...(sharedPostId && { sharedPostId }),
      });
    },
    async followed(followerId: string, followeeId: string): Promise<void> {
      await rows.follow(followerId, followeeId);
      await append(`User-${followerId}`, followerId, 'UserFollowed', { followerId, followeeId, version: 1 });
    },
    makeCloseFriend: (userId: string, friend: string) =>
      postgres.query(
        `INSERT INTO close_friends (user_id, friend_id)
         SELECT a.id, b.id FROM users a, users b WHERE a.user_id = $1 AND b.user_id = $2`,
        [userId, friend],
      ),
    close: () => world.close(),
  };
}

import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTemplates } from '../../src/demo/templates.js';
import type { Engagement } from '../../src/domains/feed/engagement/index.js';
import { noticeEvents, noticeOutbox } from '../../src/domains/feed/engagement/notices/notices.js';
import type { SendMessage } from '../../src/domains/feed/engagement/notices/send.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { sendToManyThrough } from '../../src/send-messages.js';
import {
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  unique,
  until,
} from '../notifications/notification-world.js';
import { silent } from '../notifications/with-sandbox.js';
import { keysOf, makeDue } from '../support/outbox.js';
import { callerOf, engagementOn, fixtures } from './engagement-world.js';

const types = [
  'POST_LIKED',
  'POST_COMMENTED',
  'COMMENT_REPLY',
  'POST_SHARED',
  'NEW_POST',
  'NEW_FOLLOWER',
  'USER_MENTIONED',
];
const forever = new AbortController().signal;

let world: NotificationWorld;
let rows: ReturnType<typeof fixtures>;
let log: EventLog;
let send: SendMessage;
const metrics = new Registry();
let engagement: Engagement;
let withoutFriends: Engagement;
let passed = 0;
let [ann, ben, cat, dan]: string[] = [];

beforeAll(async () => {
  world = await openNotificationWorld();
  rows = fixtures(world.postgres);
  log = createEventLog({ postgres: world.postgres, ids: uuidV7Ids(systemClock) });
  send = sendToManyThrough(world.notifications);
  engagement = engagementOn({ ...world, log }, { metrics });
  withoutFriends = engagementOn({ ...world, log }, { notifyCloseFriends: false });
  for (const { type, channel, language, title, body, variables } of makeTemplates())
    if (types.includes(type) && channel === 'in_app' && language === 'en')
      await aTemplate(world, 'in_app', type, { title: title!, body, variables });
  world.work({ providers: { close: async () => undefined } });
});
beforeEach(async () => {
  [ann, ben, cat, dan] = ['ann', 'ben', 'cat', 'dan'].map(unique) as [string, string, string, string];
  await rows.users(ann, ben, cat, dan);
});
afterAll(() => world.close());

/** What the projector and the job do with what happened since the last time. */
async function tell(through: SendMessage = send, by: Engagement = engagement): Promise<void> {
  const { events, through: head } = await log.readAll(passed, 1_000, { types: [...noticeEvents.types] });
  await world.postgres.transaction((tx) => by.addNotices(tx, events));
  passed = head;
  await by.sendNotices(through, silent, forever);
}
const waiting = async () => (await keysOf(world.postgres, noticeOutbox)).length;
const age = () => makeDue(world.postgres, noticeOutbox);
/** What was sent to somebody, by type, in the order in which it was asked for. */
async function toldTo(userId: string): Promise<string[]> {
  const { rows: found } = await world.postgres.query<{ type: string }>(
    `SELECT r.type FROM deliveries d JOIN notification_requests r USING (request_id)
     WHERE d.user_id = $1 AND d.channel = 'in_app' ORDER BY d.created_at, d.delivery_id`,
    [userId],
  );
  return found.map(({ type }) => type);
}
const like = (userId: string, postId: string) => engagement.reactToPost(callerOf(userId), postId, 'LIKE');
const unlike = (userId: string, postId: string) => engagement.removeReaction(callerOf(userId), postId);
async function comment(
  userId: string,
  postId: string,
  replyToId: string | null = null,
  content = 'Well said',
): Promise<string> {
  const added = await engagement.addComment(callerOf(userId), { postId, content, replyToId });
  if (!added.ok) throw new Error(JSON.stringify(added.errors));
  return added.value;
}
/** As publishing writes it. */
async function published(authorId: string, postId: string, sharedPostId?: string): Promise<void> {
  const data = { postId, authorId, content: 'x', visibility: 'public', version: 1 };
  const events = [{ type: 'PostPublished', data: { ...data, ...(sharedPostId && { sharedPostId }) } }];
  await log.append({
    appends: [{ streamId: `Post-${postId}`, expected: 'any', events }],
    metadata: { correlationId: 'test', causationId: 'test', userId: authorId },
  });
}
async function followed(followerId: string, followeeId: string): Promise<void> {
  await rows.follow(followerId, followeeId);
  const events = [{ type: 'UserFollowed', data: { followerId, followeeId, version: 1 } }];
  await log.append({
    appends: [{ streamId: `User-${followerId}`, expected: 'any', events }],
    metadata: { correlationId: 'test', causationId: 'test', userId: followerId },
  });
}

describe('an author', () => {
  it('finds in the inbox who reacted to which post', async () => {
    const post = await rows.post(ann!, { content: 'My garden in May' });
    await like(ben!, post);
    await tell();
    const item = await until(async () => {
      const page = { limit: 20, direction: 'forward', cursor: null } as const;
      return (await world.notifications.inbox.page(ann!, page, 'ALL')).edges[0]?.node;
    });
    expect(item).toMatchObject({
      notificationType: 'POST_LIKED',
      title: `${ben} reacted to your post`,
      body: '“My garden in May”',
    });
    expect(await waiting()).toBe(0);
  });

  it('is notified once of a user who likes, unlikes and likes again', async () => {
    const post = await rows.post(ann!);
    for (let round = 0; round < 3; round += 1) {
      await like(ben!, post);
      await tell();
      await unlike(ben!, post);
    }
    expect(await toldTo(ann!)).toEqual(['POST_LIKED']);
  });

  it('is notified of comments, shares and followers', async () => {
    const post = await rows.post(ann!);
    await comment(ben!, post);
    await tell();
    const share = await rows.post(ben!, { content: '', sharedPostId: post });
    await published(ben!, share, post);
    await tell();
    await followed(cat!, ann!);
    await tell();
    expect(await toldTo(ann!)).toEqual(['POST_COMMENTED', 'POST_SHARED', 'NEW_FOLLOWER']);
  });

  it('is not notified of own actions, of muted or blocked users, or of what was undone', async () => {
    const post = await rows.post(ann!);
    await like(ann!, post);
    await comment(ann!, post);
    await rows.mute(ann!, ben!);
    await like(ben!, post);
    await like(cat!, post);
    await unlike(cat!, post);
    await like(dan!, post);
    await rows.block(dan!, ann!);
    await tell();
    expect(await toldTo(ann!)).toEqual([]);
    expect(await waiting()).toBe(0);
  });
});

describe('those who commented', () => {
  it('are notified of each further comment, except for its writer, the author and users who muted the writer', async () => {
    const post = await rows.post(ann!);
    const first = await comment(ben!, post);
    await comment(cat!, post);
    await tell();
    expect(await toldTo(ben!)).toEqual(['COMMENT_REPLY']);
    expect(await toldTo(ann!)).toEqual(['POST_COMMENTED', 'POST_COMMENTED']);
    await rows.mute(cat!, dan!);
    await comment(dan!, post, first);
    await tell();
    expect(await toldTo(ben!)).toEqual(['COMMENT_REPLY', 'COMMENT_REPLY']);
    expect(await toldTo(cat!)).toEqual([]);
    expect(await toldTo(dan!)).toEqual([]);
  });

  it('are the latest hundred, and the user who is answered', async () => {
    const crowd = Array.from({ length: 120 }, () => unique('c'));
    await rows.users(...crowd);
    const post = await rows.post(ann!);
    const first = await comment(crowd[0]!, post);
    for (const userId of crowd.slice(1)) await comment(userId, post);
    passed = await log.head();
    await comment(ben!, post, first);
    await tell();
    const told = await Promise.all(crowd.map(async (userId) => (await toldTo(userId)).length));
    expect(told.reduce((sum, one) => sum + one)).toBe(100);
    expect(told[0]).toBe(1);
    expect(told.slice(21).every((one) => one === 1)).toBe(true);
  });
});

const makeCloseFriend = (userId: string, friend: string) =>
  world.postgres.query(
    `INSERT INTO close_friends (user_id, friend_id)
     SELECT a.id, b.id FROM users a, users b WHERE a.user_id = $1 AND b.user_id = $2`,
    [userId, friend],
  );

describe('a close friend', () => {
  it('is notified of each new post that they may see', async () => {
    await rows.follow(ben!, ann!);
    await makeCloseFriend(ben!, ann!);
    await makeCloseFriend(dan!, ann!);
    for (const visibility of ['public', 'followers', 'private'] as const)
      await published(ann!, await rows.post(ann!, { visibility }));
    await tell();
    expect(await toldTo(ben!)).toEqual(['NEW_POST', 'NEW_POST']);
    expect(await toldTo(cat!)).toEqual([]);
    // Who does not follow any more does not hear.
    expect(await toldTo(dan!)).toEqual([]);
  });

  it('is not notified where that is switched off', async () => {
    await rows.follow(ben!, ann!);
    await makeCloseFriend(ben!, ann!);
    await published(ann!, await rows.post(ann!));
    await tell(send, withoutFriends);
    expect(await toldTo(ben!)).toEqual([]);
  });
});

describe('what a feed hides', () => {
  const mute = (userId: string, ...keywords: string[]) =>
    world.postgres.query('INSERT INTO feed_settings (user_id, muted_keywords) VALUES ($1, $2)', [
      userId,
      keywords,
    ]);

  it.each([
    ['a muted word', 'All about Football today', true],
    ['a label that policy hides', 'This picture is nsfw, beware', false],
  ])('is not notified of: %s', async (_, content, byKeyword) => {
    const labels = byKeyword ? [] : ['adult'];
    const label = (postId: string) =>
      world.postgres.query('UPDATE posts SET labels = $2 WHERE post_id = $1', [postId, labels]);
    if (byKeyword) await mute(ben!, 'football');
    for (const reader of [ben!, cat!]) await rows.follow(reader, ann!);
    await makeCloseFriend(ben!, ann!);
    await makeCloseFriend(cat!, ann!);
    const hidden = await rows.post(ann!, { content });
    await label(hidden);
    await published(ann!, hidden);
    // Those who commented before are not notified of what is said below such a post, nor in such words.
    await comment(ben!, hidden);
    const plain = await rows.post(dan!);
    await comment(ben!, plain);
    await tell();
    await comment(dan!, hidden);
    await comment(dan!, plain, null, content);
    const bens = await rows.post(ben!);
    const quote = await rows.post(dan!, { content, sharedPostId: bens });
    await label(quote);
    await published(dan!, quote, bens);
    await comment(dan!, bens, null, content);
    await tell();
    expect(await toldTo(ben!)).toEqual([]);
    expect(await toldTo(cat!)).toEqual(byKeyword ? ['NEW_POST'] : []);
    await comment(dan!, bens);
    await tell();
    expect(await toldTo(ben!)).toEqual(['POST_COMMENTED']);
  });
});

describe('sending notices', () => {
  it('goes on when notifications are back, and no user is notified twice', async () => {
    const post = await rows.post(ann!);
    await like(ben!, post);
    await comment(cat!, post);
    await tell(() => Promise.reject(new Error('away')));
    expect(await toldTo(ann!)).toEqual([]);
    expect(await waiting()).toBeGreaterThan(0);
    await age();
    // Accepted, and then killed before it could be settled.
    await tell(async (caller, message) => {
      await send(caller, message);
      throw new Error('killed');
    });
    await age();
    await tell();
    expect((await toldTo(ann!)).sort()).toEqual(['POST_COMMENTED', 'POST_LIKED']);
    expect(await waiting()).toBe(0);
  });

  it('sends nothing for a type without an active template, logs it once, and goes on', async () => {
    const post = await rows.post(ann!);
    await like(ben!, post);
    await comment(cat!, post);
    const none = sendToManyThrough({
      ...world.notifications,
      findActiveTemplate: async (type) =>
        type === 'POST_LIKED' ? null : world.notifications.findActiveTemplate(type),
    });
    await tell(none);
    expect(await toldTo(ann!)).toEqual(['POST_COMMENTED']);
    expect(await waiting()).toBe(0);
    expect(await metrics.metrics()).toContain('feed_notices_total{type="POST_LIKED",outcome="refused"} 1');
  });

  it('is shared by any number of senders: each user is notified once', async () => {
    const crowd = Array.from({ length: 60 }, () => unique('f'));
    await rows.users(...crowd);
    const post = await rows.post(ann!);
    for (const userId of crowd) await like(userId, post);
    const { events, through } = await log.readAll(passed, 1_000, { types: [...noticeEvents.types] });
    await engagement.addNotices(world.postgres, events);
    await engagement.addNotices(world.postgres, events);
    passed = through;
    const calls = new Map<string, number>();
    const counting: SendMessage = async (_, { notificationId }) => {
      calls.set(notificationId, (calls.get(notificationId) ?? 0) + 1);
      return { ok: true, value: { requestId: randomUUID() } };
    };
    await Promise.all([1, 2, 3].map(() => engagement.sendNotices(counting, silent, forever)));
    expect(calls.size).toBe(60);
    expect([...calls.values()].every((times) => times === 1)).toBe(true);
    expect(await waiting()).toBe(0);
  });
});

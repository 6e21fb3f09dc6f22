import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SendMessage } from '../../src/domains/feed/engagement/notices/send.js';
import { sendToManyThrough } from '../../src/send-messages.js';
import { unique } from '../notifications/notification-world.js';
import { silent } from '../notifications/with-sandbox.js';
import { forever, type NoticesWorld, openNoticesWorld } from './notices-world.js';

let notices: NoticesWorld;
let [ann, ben, cat, dan] = ['', '', '', ''];
beforeAll(async () => {
  notices = await openNoticesWorld();
});
beforeEach(async () => {
  [ann, ben, cat, dan] = await notices.people();
});
afterAll(() => notices?.close());

describe('what a feed hides', () => {
  const mute = (userId: string, ...keywords: string[]) =>
    notices.postgres.query('INSERT INTO feed_settings (user_id, muted_keywords) VALUES ($1, $2)', [
      userId,
      keywords,
    ]);

  it.each([
    ['a muted word', 'All about Football today', true],
    ['a label that policy hides', 'This picture is nsfw, beware', false],
  ])('is not notified of: %s', async (_, content, byKeyword) => {
    const labels = byKeyword ? [] : ['adult'];
    const label = (postId: string) =>
      notices.postgres.query('UPDATE posts SET labels = $2 WHERE post_id = $1', [postId, labels]);
    if (byKeyword) await mute(ben, 'football');
    for (const reader of [ben, cat]) await notices.rows.follow(reader, ann);
    await notices.makeCloseFriend(ben, ann);
    await notices.makeCloseFriend(cat, ann);
    const hidden = await notices.rows.post(ann, { content });
    await label(hidden);
    await notices.published(ann, hidden);
    // Those who commented before are not notified of what is said below such a post, nor in such words.
    await notices.comment(ben, hidden);
    const plain = await notices.rows.post(dan);
    await notices.comment(ben, plain);
    await notices.notify();
    await notices.comment(dan, hidden);
    await notices.comment(dan, plain, null, content);
    const bens = await notices.rows.post(ben);
    const quote = await notices.rows.post(dan, { content, sharedPostId: bens });
    await label(quote);
    await notices.published(dan, quote, bens);
    await notices.comment(dan, bens, null, content);
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual([]);
    expect(await notices.sentTo(cat)).toEqual(byKeyword ? ['NEW_POST'] : []);
    await notices.comment(dan, bens);
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual(['POST_COMMENTED']);
  });
});

describe('sending notices', () => {
  it('goes on when notifications are back, and no user is notified twice', async () => {
    const post = await notices.rows.post(ann);
    await notices.like(ben, post);
    await notices.comment(cat, post);
    await notices.notify(() => Promise.reject(new Error('away')));
    expect(await notices.sentTo(ann)).toEqual([]);
    expect(await notices.waiting()).toBeGreaterThan(0);
    await notices.age();
    // Accepted, and then killed before it could be settled.
    await notices.notify(async (caller, message) => {
      await notices.send(caller, message);
      throw new Error('killed');
    });
    await notices.age();
    await notices.notify();
    expect((await notices.sentTo(ann)).sort()).toEqual(['POST_COMMENTED', 'POST_LIKED']);
    expect(await notices.waiting()).toBe(0);
  });

  it('sends nothing for a type without an active template, logs it once, and goes on', async () => {
    const post = await notices.rows.post(ann);
    await notices.like(ben, post);
    await notices.comment(cat, post);
    const none = sendToManyThrough({
      ...notices.notifications,
      findActiveTemplate: async (type) =>
        type === 'POST_LIKED' ? null : notices.notifications.findActiveTemplate(type),
    });
    await notices.notify(none);
    expect(await notices.sentTo(ann)).toEqual(['POST_COMMENTED']);
    expect(await notices.waiting()).toBe(0);
    expect(await notices.metrics.metrics()).toContain(
      'feed_notices_total{type="POST_LIKED",outcome="refused"} 1',
    );
  });

  it('is shared by any number of senders: each user is notified once', async () => {
    const crowd = Array.from({ length: 60 }, () => unique('f'));
    await notices.rows.users(...crowd);
    const post = await notices.rows.post(ann);
    for (const userId of crowd) await notices.like(userId, post);
    const events = await notices.passEvents();
    await notices.engagement.addNotices(notices.postgres, events);
    await notices.engagement.addNotices(notices.postgres, events);
    const calls = new Map<string, number>();
    const counting: SendMessage = async (_, { notificationId }) => {
      calls.set(notificationId, (calls.get(notificationId) ?? 0) + 1);
      return { ok: true, value: { requestId: randomUUID() } };
    };
    await Promise.all(
      [1, 2, 3].map(() =>
        notices.engagement.sendNotices({ ...notices.messages, send: counting }, silent, forever),
      ),
    );
    expect(calls.size).toBe(60);
    expect([...calls.values()].every((times) => times === 1)).toBe(true);
    expect(await notices.waiting()).toBe(0);
  });
});

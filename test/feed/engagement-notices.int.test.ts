import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unique, until } from '../notifications/notification-world.js';
import { callerOf } from './engagement-world.js';
import { type NoticesWorld, openNoticesWorld } from './notices-world.js';

let notices: NoticesWorld;
let [ann, ben, cat, dan] = ['', '', '', ''];
beforeAll(async () => {
  notices = await openNoticesWorld();
});
beforeEach(async () => {
  [ann, ben, cat, dan] = await notices.people();
});
afterAll(() => notices?.close());

describe('an author', () => {
  it('finds in the inbox who reacted to which post', async () => {
    const post = await notices.rows.post(ann, { content: 'My garden in May' });
    await notices.like(ben, post);
    await notices.notify();
    const item = await until(async () => {
      const page = { limit: 20, direction: 'forward', cursor: null } as const;
      return (await notices.notifications.inbox.page(ann, page, 'ALL')).edges[0]?.node;
    });
    expect(item).toMatchObject({
      notificationType: 'POST_LIKED',
      title: `${ben} reacted to your post`,
      body: '“My garden in May”',
    });
    expect(await notices.waiting()).toBe(0);
  });

  it('finds those who react to the same post in one item, without who took it back and with who came back', async () => {
    const post = await notices.rows.post(ann, { content: 'My garden in May' });
    const shown = (title: string) =>
      until(async () => {
        const page = { limit: 20, direction: 'forward', cursor: null } as const;
        const { edges } = await notices.notifications.inbox.page(ann, page, 'ALL');
        return edges[0]?.node.title === `${title} reacted to your post` && edges.length === 1;
      });
    await notices.like(ben, post);
    await notices.notify();
    await notices.like(cat, post);
    await notices.notify();
    await shown(`${cat} and 1 other`);
    await notices.unlike(ben, post);
    await notices.notify();
    await notices.like(dan, post);
    await notices.notify();
    await shown(`${dan} and 1 other`);
    await notices.like(ben, post);
    await notices.notify();
    const [eve] = await notices.people();
    await notices.like(eve, post);
    await notices.notify();
    await shown(`${eve} and 3 others`);
    expect(await notices.waiting()).toBe(0);
  });

  it('is notified once of a user who likes, unlikes and likes again', async () => {
    const post = await notices.rows.post(ann);
    for (let round = 0; round < 3; round += 1) {
      await notices.like(ben, post);
      await notices.notify();
      await notices.unlike(ben, post);
    }
    expect(await notices.sentTo(ann)).toEqual(['POST_LIKED']);
  });

  it('is notified of comments, shares and followers', async () => {
    const post = await notices.rows.post(ann);
    await notices.comment(ben, post);
    await notices.notify();
    const share = await notices.rows.post(ben, { content: '', sharedPostId: post });
    await notices.published(ben, share, post);
    await notices.notify();
    await notices.followed(cat, ann);
    await notices.notify();
    expect(await notices.sentTo(ann)).toEqual(['POST_COMMENTED', 'POST_SHARED', 'NEW_FOLLOWER']);
  });

  it('is not notified of own actions, of muted or blocked users, or of what was undone', async () => {
    const post = await notices.rows.post(ann);
    await notices.like(ann, post);
    await notices.comment(ann, post);
    await notices.rows.mute(ann, ben);
    await notices.like(ben, post);
    await notices.like(cat, post);
    await notices.unlike(cat, post);
    await notices.like(dan, post);
    await notices.rows.block(dan, ann);
    await notices.notify();
    expect(await notices.sentTo(ann)).toEqual([]);
    expect(await notices.waiting()).toBe(0);
  });
});

describe('those who commented', () => {
  it('are notified of each further comment, except for its writer, the author and users who muted the writer', async () => {
    const post = await notices.rows.post(ann);
    const first = await notices.comment(ben, post);
    await notices.comment(cat, post);
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual(['COMMENT_REPLY']);
    expect(await notices.sentTo(ann)).toEqual(['POST_COMMENTED', 'POST_COMMENTED']);
    await notices.rows.mute(cat, dan);
    await notices.comment(dan, post, first);
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual(['COMMENT_REPLY', 'COMMENT_REPLY']);
    expect(await notices.sentTo(cat)).toEqual([]);
    expect(await notices.sentTo(dan)).toEqual([]);
  });

  it('are the latest hundred, and the user who is answered', async () => {
    const crowd = Array.from({ length: 120 }, () => unique('c'));
    await notices.rows.users(...crowd);
    const post = await notices.rows.post(ann);
    const first = await notices.comment(crowd[0]!, post);
    for (const userId of crowd.slice(1)) await notices.comment(userId, post);
    await notices.skipEvents();
    await notices.comment(ben, post, first);
    await notices.notify();
    const told = await Promise.all(crowd.map(async (userId) => (await notices.sentTo(userId)).length));
    expect(told.reduce((sum, one) => sum + one)).toBe(100);
    expect(told[0]).toBe(1);
    expect(told.slice(21).every((one) => one === 1)).toBe(true);
  });
});

describe('who is mentioned in a comment', () => {
  it('is notified of it once, also if they commented before', async () => {
    const post = await notices.rows.post(ann);
    await notices.comment(ben, post);
    const answered = await notices.comment(cat, post);
    await notices.skipEvents();
    await notices.comment(dan, post, answered, `What do you say, @${ann}, @${ben} and @${cat}?`);
    await notices.notify();
    expect(await notices.sentTo(ann)).toEqual(['POST_COMMENTED']);
    expect(await notices.sentTo(ben)).toEqual(['COMMENT_REPLY']);
    expect(await notices.sentTo(cat)).toEqual(['COMMENT_REPLY']);
  });

  it('is notified of being mentioned if their own comment is gone, or a hundred others have commented since', async () => {
    const crowd = Array.from({ length: 100 }, () => unique('c'));
    await notices.rows.users(...crowd);
    const post = await notices.rows.post(ann);
    await notices.comment(ben, post);
    for (const userId of crowd) await notices.comment(userId, post);
    const deleted = await notices.comment(cat, post);
    await notices.engagement.deleteComment(callerOf(cat), deleted);
    await notices.skipEvents();
    await notices.comment(dan, post, null, `@${ben} @${cat} @${crowd[0]}`);
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual(['USER_MENTIONED']);
    expect(await notices.sentTo(cat)).toEqual(['USER_MENTIONED']);
    expect(await notices.sentTo(crowd[0]!)).toEqual(['COMMENT_REPLY']);
  });
});

describe('a close friend', () => {
  it('is notified of each new post that they may see', async () => {
    await notices.rows.follow(ben, ann);
    await notices.makeCloseFriend(ben, ann);
    await notices.makeCloseFriend(dan, ann);
    for (const visibility of ['public', 'followers', 'private'] as const)
      await notices.published(ann, await notices.rows.post(ann, { visibility }));
    await notices.notify();
    expect(await notices.sentTo(ben)).toEqual(['NEW_POST', 'NEW_POST']);
    expect(await notices.sentTo(cat)).toEqual([]);
    // Who does not follow any more does not hear.
    expect(await notices.sentTo(dan)).toEqual([]);
  });

  it('is not notified where that is switched off', async () => {
    await notices.rows.follow(ben, ann);
    await notices.makeCloseFriend(ben, ann);
    await notices.published(ann, await notices.rows.post(ann));
    await notices.notify(notices.send, notices.withoutFriends);
    expect(await notices.sentTo(ben)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { appendOf, feedEvents } from '../../src/domains/feed/events.js';

const postId = '0195f1c2-0000-7000-8000-000000000001';
const original = '0195f1c2-0000-7000-8000-000000000002';
const commentId = '0195f1c2-0000-7000-8000-000000000003';

describe('the events of the feed', () => {
  it.each([
    ['PostPublished', { postId, authorId: 'ann', content: 'Hi', visibility: 'public' }],
    ['UserFollowed', { followerId: 'ann', followeeId: 'ben' }],
  ])('a %s from before events had versions is read as version 1', (type, data) => {
    expect(feedEvents.read({ type, data })).toEqual({ type, data: { ...data, version: 1 } });
  });

  it.each([
    ['PostPublished', { postId, authorId: 'ann', content: '', visibility: 'public', sharedPostId: null }],
    [
      'PostPublished',
      { postId, authorId: 'ann', content: '', visibility: 'friends', sharedPostId: original },
    ],
    ['PostReacted', { postId, userId: 'ann', kind: 'CARE' }],
    ['PostCommented', { commentId, postId, authorId: 'ann' }],
    ['PostEdited', { postId, authorId: 'ann', content: 'Hello' }],
    ['MediaFinished', { mediaId: commentId, ownerId: 'ann', state: 'ready', failureReason: null }],
  ])('a %s of %j, as an earlier or a newer process writes it, is read', (type, data) => {
    expect(feedEvents.read({ type, data: { ...data, version: 1, added: 'later' } })).toEqual({
      type,
      data: { ...data, version: 1 },
    });
  });

  it('an event of another domain, or without what it is about, is not read', () => {
    expect(() => feedEvents.read({ type: 'OrderPlaced', data: {} })).toThrow('OrderPlaced');
    expect(() => feedEvents.read({ type: 'PostDeleted', data: { authorId: 'ann' } })).toThrow('postId');
  });

  it('a selection reads its own types alone', () => {
    const follows = feedEvents.only('UserFollowed', 'UserUnfollowed');
    const data = { followerId: 'ann', followeeId: 'ben', version: 1 };
    const muted = { type: 'UserMuted', data: { userId: 'ann', mutedId: 'ben' } };
    expect([...follows.types]).toEqual(['UserFollowed', 'UserUnfollowed']);
    expect(follows.readThose([muted, { type: 'UserFollowed', data }])).toEqual([
      { type: 'UserFollowed', data },
    ]);
    expect(() => follows.read(muted)).toThrow('UserMuted');
  });

  it('each is appended to the stream of what it is about', () => {
    const version = 1;
    const published = { postId, authorId: 'ann', content: '', visibility: 'public', version } as const;
    const finished = {
      mediaId: commentId,
      ownerId: 'ann',
      state: 'ready',
      failureReason: null,
      version,
    } as const;
    const appends = [
      appendOf({ type: 'PostPublished', data: published }),
      appendOf({ type: 'PostReacted', data: { postId, userId: 'ben', kind: 'LIKE', version } }),
      appendOf({ type: 'MediaFinished', data: finished }),
      appendOf({ type: 'UserFollowed', data: { followerId: 'ann', followeeId: 'ben', version } }),
      appendOf({ type: 'UserBlocked', data: { userId: 'ann', blockedId: 'ben', version } }),
    ];
    expect(appends.map(({ streamId, expected }) => [streamId, expected])).toEqual([
      [`Post-${postId}`, 'none'],
      [`Post-${postId}`, 'any'],
      [`Media-${commentId}`, 'any'],
      ['User-ann', 'any'],
      ['User-ann', 'any'],
    ]);
  });
});

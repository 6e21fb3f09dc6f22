import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat']) await world.feed.signIn(userId);
});
afterAll(() => world.close());

const publish = (content: string, idempotencyKey?: string) =>
  world.feed.publishPost(callerOf('ann'), {
    content,
    visibility: 'public',
    ...(idempotencyKey && { idempotencyKey }),
  });

const countPosts = async (): Promise<number> =>
  (await world.postgres.query('SELECT FROM posts')).rowCount ?? 0;

describe('publishing', () => {
  it('writes the row and the event together, under one correlation id', async () => {
    const result = await publish('hello');
    if (!result.ok) throw new Error('refused');
    const [event] = await world.log.readStream(`Post-${result.value.postId}`);
    expect(event).toMatchObject({
      type: 'PostPublished',
      data: { authorId: 'ann', content: 'hello', visibility: 'public' },
      metadata: { correlationId: 'test-ann', userId: 'ann' },
    });
    expect(event?.createdAt.getTime()).toBe(result.value.createdAt.getTime());
  });

  it('answers the same post to the same idempotency key, also to ten at once', async () => {
    const before = await countPosts();
    const results = await Promise.all(Array.from({ length: 10 }, () => publish('only once', 'key-1')));
    expect(new Set(results.map((result) => result.ok && result.value.postId)).size).toBe(1);
    expect(await countPosts()).toBe(before + 1);
  });

  it('refuses the same key for another post', async () => {
    await publish('first', 'key-2');
    expect(await publish('second', 'key-2')).toMatchObject({
      ok: false,
      errors: [{ code: 'IDEMPOTENCY_KEY_REUSED' }],
    });
  });

  it('refuses an empty idempotency key, and an author who never signed in', async () => {
    const draft = { content: 'hello', visibility: 'public' as const };
    const refusal = async (userId: string, own: { idempotencyKey?: string } = {}) => {
      const result = await world.feed.publishPost(callerOf(userId), { ...draft, ...own });
      return result.ok ? null : result.errors[0]!.code;
    };
    for (const idempotencyKey of ['', 'x'.repeat(129), 'a\0b'])
      expect(await refusal('ann', { idempotencyKey })).toBe('IDEMPOTENCY_KEY_INVALID');
    expect(await refusal('nobody')).toBe('AUTHOR_NOT_FOUND');
  });

  it('counts 5,000 characters as a reader does, and refuses one more', async () => {
    expect((await publish('🙂'.repeat(5_000))).ok).toBe(true);
    expect(await publish('🙂'.repeat(5_001))).toMatchObject({
      ok: false,
      errors: [{ code: 'CONTENT_TOO_LONG', path: ['input', 'content'] }],
    });
  });

  it.each([
    ['nothing', '', 'CONTENT_EMPTY'],
    ['white space alone', ' \n\t ', 'CONTENT_EMPTY'],
    ['a NUL', 'a\0b', 'CONTENT_INVALID'],
    ['half a surrogate pair', 'a\ud800b', 'CONTENT_INVALID'],
  ])('refuses %s, and writes nothing', async (_, content, code) => {
    const before = await countPosts();
    expect(await publish(content)).toMatchObject({
      ok: false,
      errors: [{ code, path: ['input', 'content'] }],
    });
    expect(await countPosts()).toBe(before);
  });
});

describe('following', () => {
  it('counts an edge once, however often it is asked for, and takes it back once', async () => {
    const [ann, ben] = [callerOf('ann'), callerOf('ben')];
    await Promise.all([1, 2, 3].map(() => world.feed.followUser(ann, 'ben')));
    const followed = await world.feed.followUser(ben, 'ann');
    expect(followed).toMatchObject({ ok: true, value: { followerCount: 1, followingCount: 1 } });
    await Promise.all([1, 2, 3].map(() => world.feed.unfollowUser(ann, 'ben')));
    const [after] = await world.feed.findUsers(['ben']);
    expect(after).toMatchObject({ followerCount: 0, followingCount: 1 });
    const edges = await world.log.readStream('User-ann');
    expect(edges.map((event) => event.type)).toEqual(['UserFollowed', 'UserUnfollowed']);
  });

  it('refuses to follow oneself or a user who does not exist', async () => {
    expect(await world.feed.followUser(callerOf('ann'), 'ann')).toMatchObject({
      errors: [{ code: 'CANNOT_FOLLOW_YOURSELF' }],
    });
    expect(await world.feed.followUser(callerOf('ann'), 'nobody')).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'userId'] }],
    });
    expect(await world.feed.followUser(callerOf('ann'), 'x'.repeat(65))).toMatchObject({
      errors: [{ code: 'ID_INVALID', path: ['input', 'userId'] }],
    });
  });
});

describe('a profile', () => {
  it.each([
    ['nothing', '  ', 'DISPLAY_NAME_EMPTY'],
    ['nothing that can be seen', '\u3164\ufe0f', 'DISPLAY_NAME_EMPTY'],
    ['101 characters', 'x'.repeat(101), 'DISPLAY_NAME_TOO_LONG'],
    ['text turned around', '\u202ealice', 'DISPLAY_NAME_INVALID'],
    ['a NUL', 'a\0b', 'DISPLAY_NAME_INVALID'],
  ])('refuses a name of %s', async (_, displayName, code) => {
    expect(await world.feed.upsertProfile(callerOf('ann'), { displayName })).toMatchObject({
      ok: false,
      errors: [{ code, path: ['input', 'displayName'] }],
    });
  });

  it.each(['ftp://pictures.test/ann', `https://pictures.test/${'a'.repeat(2_048)}`])(
    'refuses a picture at %.40s',
    async (avatarUrl) => {
      expect(
        await world.feed.upsertProfile(callerOf('ann'), { displayName: 'Ann', avatarUrl }),
      ).toMatchObject({
        errors: [{ code: 'AVATAR_URL_INVALID', path: ['input', 'avatarUrl'] }],
      });
    },
  );

  it('keeps its picture where none is given, and loses it where that is null', async () => {
    const save = async (profile: { avatarUrl?: string | null }) => {
      const saved = await world.feed.upsertProfile(callerOf('ben'), { displayName: 'Ben', ...profile });
      return saved.ok && saved.value.avatarUrl;
    };
    expect(await save({ avatarUrl: 'https://pictures.test/ben' })).toBe('https://pictures.test/ben');
    expect(await save({})).toBe('https://pictures.test/ben');
    expect(await save({ avatarUrl: null })).toBeNull();
    expect(await save({})).toBeNull();
  });

  it('takes a name with a family of emoji in it', async () => {
    const saved = await world.feed.upsertProfile(callerOf('ann'), { displayName: 'Ann 👨‍👩‍👧' });
    expect(saved).toMatchObject({ ok: true, value: { displayName: 'Ann 👨‍👩‍👧' } });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashedFormerly } from '../support/former-hash.js';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben']) await world.feed.signIn(userId);
});
afterAll(() => world.close());

/** What ten requests under one key came to, each with one of these texts. */
async function tenAtOnce(idempotencyKey: string, contents: readonly string[]) {
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      world.feed.publishPost(callerOf('ann'), {
        content: contents[n % contents.length]!,
        visibility: 'public',
        idempotencyKey,
      }),
    ),
  );
  const posts = new Set(results.flatMap((result) => (result.ok ? [result.value.postId] : [])));
  const codes = new Set(results.flatMap((result) => (result.ok ? [] : [result.errors[0]!.code])));
  return { posts: [...posts], codes: [...codes] };
}

describe('an idempotency key', () => {
  it('stands for one post, also with ten requests at once, thirty times over', async () => {
    for (let n = 0; n < 30; n += 1) {
      const { posts, codes } = await tenAtOnce(`key ${n}`, ['the same']);
      expect([posts.length, codes]).toEqual([1, []]);
    }
    const { rows } = await world.postgres.query<{ count: number }>('SELECT count(*) FROM posts');
    expect(rows[0]!.count).toBe(30);
  });

  it('stands for the first of two texts and refuses the other, though they come at once', async () => {
    for (let n = 0; n < 20; n += 1) {
      const { posts, codes } = await tenAtOnce(`two ${n}`, ['one', 'other']);
      expect([posts.length, codes]).toEqual([1, ['IDEMPOTENCY_KEY_REUSED']]);
    }
  });

  it('of a post or a share that a former process accepted is known, also under a text that is stored in another form', async () => {
    const content = 'cafe\u0301';
    const original = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
    if (!original.ok) throw new Error('refused');
    const { postId } = original.value;
    const key = { idempotencyKey: 'former' };
    const publish = () => world.feed.publishPost(callerOf('ann'), { content, visibility: 'public', ...key });
    const share = () => world.feed.sharePost(callerOf('ben'), { postId, content, ...key });
    for (const [give, body] of [
      [publish, { content, visibility: 'public' }],
      [share, { sharedPostId: postId, content }],
    ] as const) {
      const first = await give();
      expect(first).toMatchObject({ ok: true, value: { content: 'caf\u00e9' } });
      await hashedFormerly(world.postgres, body);
      expect(await give()).toEqual(first);
    }
  });

  it('is its caller’s alone, and of one operation alone', async () => {
    const input = { content: 'mine', visibility: 'public' as const, idempotencyKey: 'shared' };
    const [ann, ben] = await Promise.all(
      ['ann', 'ben'].map((userId) => world.feed.publishPost(callerOf(userId), input)),
    );
    if (!ann!.ok || !ben!.ok) throw new Error('refused');
    expect(ann!.value.postId).not.toBe(ben!.value.postId);
    const share = await world.feed.sharePost(callerOf('ben'), {
      postId: ann!.value.postId,
      idempotencyKey: 'shared',
    });
    expect(share).toMatchObject({ ok: true, value: { sharedPostId: ann!.value.postId } });
  });

  it('answers that its post is gone once it was deleted, and publishes no other', async () => {
    const input = { content: 'short-lived', visibility: 'public' as const, idempotencyKey: 'gone' };
    const first = await world.feed.publishPost(callerOf('ann'), input);
    if (!first.ok) throw new Error('refused');
    await world.feed.deletePost(callerOf('ann'), first.value.postId);
    expect(await world.feed.publishPost(callerOf('ann'), input)).toMatchObject({
      ok: false,
      errors: [{ code: 'NOT_FOUND' }],
    });
  });
});

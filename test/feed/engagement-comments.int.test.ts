import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hashedFormerly } from '../support/former-hash.js';
import { commenting } from './comments-world.js';
import { callerOf, type EngagementWorld, openEngagementWorld } from './engagement-world.js';

let world: EngagementWorld;
let post: string;
let on: ReturnType<typeof commenting>;
beforeAll(async () => {
  world = await openEngagementWorld();
  await world.users('ann', 'ben', 'cat', 'dan', 'eve');
});
beforeEach(async () => {
  post = await world.post('ann');
  on = commenting(world, post);
});
afterAll(() => world.close());

describe('a comment', () => {
  it('stands under its post, its answers under it, oldest first; all of them count', async () => {
    const first = await on.added('ben', 'first');
    await on.added('cat', 'second');
    const reply = await on.added('ann', 'answer', first);
    await on.added('ben', 'answer to the answer', reply);
    expect(await on.read('dan', 'posts', post)).toEqual(['first', 'second']);
    expect(await on.read('dan', 'comments', first)).toEqual(['answer']);
    expect(await on.read(null, 'comments', reply)).toEqual(['answer to the answer']);
    expect(await on.commentCount()).toBe(4);
  });

  it('is paged there and back', async () => {
    for (const content of ['1', '2', '3', '4', '5']) await on.added('ben', content);
    const page = async (own: object) => {
      const request = { limit: 2, direction: 'forward', cursor: null, ...own } as const;
      return (await world.engagement.pageComments(null, 'posts', [post], request))[0]!;
    };
    const first = await page({});
    const second = await page({ cursor: first.pageInfo.endCursor });
    expect(second.edges.map((edge) => edge.node.content)).toEqual(['3', '4']);
    const last = await page({ direction: 'backward' });
    expect(last.edges.map((edge) => edge.node.content)).toEqual(['4', '5']);
    expect(last.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    await expect(page({ cursor: 'forged' })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('is one, however often its key comes, also at once', async () => {
    const results = await Promise.all(
      Array.from({ length: 10 }, () => on.add('ben', 'only once', { idempotencyKey: 'key' })),
    );
    expect(new Set(results.map((result) => result.ok && result.value)).size).toBe(1);
    expect(await on.commentCount()).toBe(1);
    expect(await on.add('ben', 'another', { idempotencyKey: 'key' })).toMatchObject({
      errors: [{ code: 'IDEMPOTENCY_KEY_REUSED', path: ['input', 'idempotencyKey'] }],
    });
  });

  it('is one, though a former process accepted its key with a text that is stored in another form', async () => {
    const [content, key] = ['cafe\u0301', { idempotencyKey: 'former' }];
    const first = await on.add('ben', content, key);
    await hashedFormerly(world.postgres, { postId: post, content });
    expect(await on.add('ben', content, key)).toEqual(first);
    expect(await on.commentCount()).toBe(1);
  });

  it.each([
    ['nothing', ' \n', 'CONTENT_EMPTY'],
    ['2,001 characters', '🙂'.repeat(2_001), 'CONTENT_TOO_LONG'],
    ['a NUL', 'a\0b', 'CONTENT_INVALID'],
    ['half a surrogate pair', 'a\ud800', 'CONTENT_INVALID'],
  ])('of %s is refused', async (_, content, code) => {
    expect(await on.add('ben', content)).toMatchObject({ errors: [{ code, path: ['input', 'content'] }] });
    expect(await on.commentCount()).toBe(0);
  });

  it('has 2,000 characters as a reader counts them', async () => {
    expect(await on.add('ben', '🙂'.repeat(2_000))).toMatchObject({ ok: true });
  });

  it('answers only a living comment of the same post that its writer may see', async () => {
    const other = await world.post('ann');
    const elsewhere = await world.engagement.addComment(callerOf('ben'), { postId: other, content: 'there' });
    const deleted = await on.added('ben', 'gone');
    await on.remove('ben', deleted);
    await world.block('dan', 'eve');
    const hidden = await on.added('dan', 'not for eve');
    const refused = { ok: false, errors: [{ code: 'COMMENT_NOT_FOUND', path: ['input', 'replyToId'] }] };
    for (const replyToId of [elsewhere.ok && elsewhere.value, deleted, hidden, randomUUID(), 'no id'])
      expect(await on.add('eve', 'answer', { replyToId: String(replyToId) })).toMatchObject(refused);
  });

  it('under a post that one may not see is refused as if there were none', async () => {
    const postId = await world.post('ann', { visibility: 'private' });
    for (const id of [postId, randomUUID(), 'no id'])
      expect(await on.add('ben', 'hello', { postId: id })).toMatchObject({
        errors: [{ code: 'NOT_FOUND', path: ['input', 'postId'] }],
      });
  });
});

describe('blocking', () => {
  it('hides comments from each other, and from nobody else', async () => {
    await world.users('x1', 'x2');
    const ofOne = await on.added('x1', 'one');
    const ofOther = await on.added('x2', 'other');
    await world.block('x1', 'x2');
    expect(await on.read('x1', 'posts', post)).toEqual(['one']);
    expect(await on.read('x2', 'posts', post)).toEqual(['other']);
    expect(await on.read('cat', 'posts', post)).toEqual(['one', 'other']);
    const found = await world.engagement.findComments(callerOf('x1').viewer, [ofOne, ofOther, 'no id']);
    expect([...found.keys()]).toEqual([ofOne]);
  });
});

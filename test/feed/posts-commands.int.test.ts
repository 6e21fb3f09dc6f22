import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Post } from '../../src/domains/feed/index.js';
import { pageAuthorPosts } from '../../src/domains/feed/posts/posts.js';
import { createSpamCheck } from '../../src/domains/feed/posts/spam-check.js';
import type { Result } from '../../src/platform/errors.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { ids } from './posts-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
});
afterAll(() => world.close());

/** Everybody is new to each test: nobody has written, followed or blocked anything. */
let [ann, ben, cat] = ['', '', ''];
let tests = 0;
beforeEach(async () => {
  tests += 1;
  [ann, ben, cat] = ['ann', 'ben', 'cat'].map((name) => `${name}-${tests}`) as [string, string, string];
  for (const userId of [ann, ben, cat]) await world.feed.signIn(userId);
});

const given = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.errors[0]!.code);
  return result.value;
};
const codeOf = (result: Result<unknown>): string | undefined =>
  result.ok ? undefined : result.errors[0]!.code;
type Draft = Partial<Parameters<FeedWorld['feed']['publishPost']>[1]>;
const publish = (userId: string, content: string, more: Draft = {}): Promise<Result<Post>> =>
  world.feed.publishPost(callerOf(userId), { content, visibility: 'public', ...more });
const post = async (userId: string, content: string, more: Draft = {}): Promise<string> =>
  given(await publish(userId, content, more)).postId;
const see = async (userId: string, postId: string): Promise<Post | undefined> =>
  (await world.feed.findVisiblePosts(viewerOf(userId), [postId])).get(postId);
const share = (userId: string, postId: string, content?: string) =>
  world.feed.sharePost(callerOf(userId), { postId, ...(content !== undefined && { content }) });
const typesOf = async (postId: string): Promise<string[]> =>
  (await world.log.readStream(`Post-${postId}`)).map((event) => event.type);

describe('editing', () => {
  it('changes the text for everybody at once and keeps what was said before', async () => {
    const postId = await post(ann, 'first');
    await see(ben, postId);
    const edited = given(await world.feed.editPost(callerOf(ann), { postId, content: 'second' }));
    await world.feed.editPost(callerOf(ann), { postId, content: 'third' });
    expect(edited).toMatchObject({ content: 'second', editedAt: expect.any(Date) });
    expect((await see(ben, postId))?.content).toBe('third');
    const edits = (await world.feed.findEdits([postId])).get(postId)!;
    expect(edits[0]?.editedAt).toEqual(edited.editedAt);
    expect(edits[0]).not.toHaveProperty('content');
    const gone = { postId, position: '0' };
    const [first, second] = edits;
    expect(await world.feed.findEditTexts([second!, gone, first!, second!])).toEqual([
      'second',
      '',
      'first',
      'second',
    ]);
  });

  it('labels and fingerprints the new text', async () => {
    const postId = await post(ann, 'one two three four five six');
    const before = (await see(ann, postId))!;
    await world.feed.editPost(callerOf(ann), { postId, content: 'a casino one two three four five' });
    const after = (await see(ann, postId))!;
    expect([before.labels, after.labels]).toEqual([[], ['gambling']]);
    expect(after.fingerprint).not.toBe(before.fingerprint);
  });

  it('appends no event where nothing changes', async () => {
    const postId = await post(ann, 'same');
    expect(given(await world.feed.editPost(callerOf(ann), { postId, content: 'same' })).editedAt).toBeNull();
    expect(await typesOf(postId)).toEqual(['PostPublished']);
  });

  it('is for the author alone; what one may not see is not there', async () => {
    const [open, secret] = [await post(ann, 'open'), await post(ann, 'secret', { visibility: 'private' })];
    const edit = async (postId: string, content = 'mine now') =>
      codeOf(await world.feed.editPost(callerOf(ben), { postId, content }));
    expect(await edit(open)).toBe('FORBIDDEN');
    expect([await edit(secret), await edit(secret, ''), await edit(ids.next()), await edit('no id')]).toEqual(
      Array(4).fill('NOT_FOUND'),
    );
  });

  it('takes no text that publishing would not take', async () => {
    const postId = await post(ann, 'fine');
    const edit = async (content: string) =>
      codeOf(await world.feed.editPost(callerOf(ann), { postId, content }));
    expect([await edit(' '), await edit('x'.repeat(5_001)), await edit('a\0b')]).toEqual([
      'CONTENT_EMPTY',
      'CONTENT_TOO_LONG',
      'CONTENT_INVALID',
    ]);
  });
});

describe('deleting', () => {
  it('hides the post from everybody at once, and is harmless to repeat', async () => {
    const postId = await post(ann, 'oops');
    await see(ben, postId);
    expect(given(await world.feed.deletePost(callerOf(ann), postId))).toBe(postId);
    expect([await see(ann, postId), await see(ben, postId)]).toEqual([undefined, undefined]);
    expect(given(await world.feed.deletePost(callerOf(ann), postId))).toBe(postId);
    expect(await typesOf(postId)).toEqual(['PostPublished', 'PostDeleted']);
  });

  it('is for the author and admins', async () => {
    const [open, secret] = [await post(ann, 'open'), await post(ann, 'secret', { visibility: 'private' })];
    const remove = async (postId: string) => codeOf(await world.feed.deletePost(callerOf(ben), postId));
    expect([await remove(open), await remove(secret), await remove(ids.next()), await remove('x')]).toEqual([
      'FORBIDDEN',
      'NOT_FOUND',
      'NOT_FOUND',
      'NOT_FOUND',
    ]);
    const admin = { ...callerOf(ben), viewer: { ...viewerOf(ben), roles: new Set(['admin'] as const) } };
    expect((await world.feed.deletePost(admin, secret)).ok).toBe(true);
    const [, deleted] = await world.log.readStream(`Post-${secret}`);
    expect(deleted).toMatchObject({ data: { authorId: ann }, metadata: { userId: ben } });
  });

  it('leaves no edit behind it', async () => {
    const postId = await post(ann, 'gone');
    await world.feed.deletePost(callerOf(ann), postId);
    expect(codeOf(await world.feed.editPost(callerOf(ann), { postId, content: 'back' }))).toBe('NOT_FOUND');
  });
});

describe('sharing', () => {
  it('shows the original, counts once, and is taken back by deleting the share', async () => {
    const original = await post(ann, 'look');
    const shared = given(await share(ben, original, 'so true'));
    expect(shared).toMatchObject({ content: 'so true', sharedPostId: original, visibility: 'public' });
    expect((await see(cat, original))?.shareCount).toBe(1);
    await world.feed.deletePost(callerOf(ben), shared.postId);
    expect((await see(cat, original))?.shareCount).toBe(0);
  });

  it('of a share shares the original', async () => {
    const original = await post(ann, 'look');
    const first = given(await share(ben, original)).postId;
    expect(given(await share(cat, first)).sharedPostId).toBe(original);
    expect((await see(cat, original))?.shareCount).toBe(2);
  });

  it('is refused where the sharer may not see the post', async () => {
    const [secret, deleted, blocked] = [
      await post(ann, 'secret', { visibility: 'private' }),
      await post(ann, 'deleted'),
      await post(cat, 'blocked'),
    ];
    await world.feed.deletePost(callerOf(ann), deleted);
    await world.feed.blockUser(callerOf(cat), ben);
    for (const postId of [secret, deleted, blocked, ids.next(), 'no id']) {
      expect(codeOf(await share(ben, postId))).toBe('NOT_FOUND');
    }
  });

  it('does not show a post for followers to others; authors may share their own', async () => {
    await world.feed.followUser(callerOf(ben), ann);
    const intimate = await post(ann, 'for you', { visibility: 'followers' });
    expect(codeOf(await share(ben, intimate))).toBe('NOT_SHAREABLE');
    expect(given(await share(ann, intimate)).visibility).toBe('followers');
  });

  it('beside a delete of the original is accepted before it or refused after it', async () => {
    for (let n = 0; n < 50; n += 1) {
      const original = await post(ann, `short-lived ${n}`);
      const deleting = (): Promise<unknown> => world.feed.deletePost(callerOf(ann), original);
      const [shared] = (await Promise.all(
        n % 2 === 0 ? [share(ben, original), deleting()] : [deleting(), share(ben, original)].toReversed(),
      )) as [Result<Post>, unknown];
      if (!shared.ok) expect(codeOf(shared)).toBe('NOT_FOUND');
      else {
        const [published] = await world.log.readStream(`Post-${shared.value.postId}`);
        const [, deleted] = await world.log.readStream(`Post-${original}`);
        expect(published!.globalPosition).toBeLessThan(deleted!.globalPosition);
      }
    }
  });

  it('answers the same share to the same key, also to ten at once', async () => {
    const original = await post(ann, 'look');
    const shares = await Promise.all(
      Array.from({ length: 10 }, () =>
        world.feed.sharePost(callerOf(ben), { postId: original, idempotencyKey: 'k' }),
      ),
    );
    expect(new Set(shares.map((result) => given(result).postId)).size).toBe(1);
    expect((await see(cat, original))?.shareCount).toBe(1);
  });
});

describe('blocks', () => {
  it('hide posts both ways, one by one and in lists', async () => {
    const [byAnn, byBen] = [await post(ann, 'from ann'), await post(ben, 'from ben')];
    await world.feed.blockUser(callerOf(ann), ben);
    expect([await see(ben, byAnn), await see(ann, byBen)]).toEqual([undefined, undefined]);
    expect(await see(cat, byAnn)).toBeDefined();
    const page = { direction: 'forward' as const, limit: 10, cursor: null };
    const [list] = await world.feed.pageAuthorPosts(viewerOf(ben), [ann], page);
    expect(list?.edges).toEqual([]);
  });
});

it("an author's list goes on though a post is deleted while its page is read", async () => {
  const posts = [await post(ann, 'one'), await post(ann, 'two'), await post(ann, 'three')];
  const deleting = {
    find: async (postIds: readonly string[]) => {
      given(await world.feed.deletePost(callerOf(ann), posts[1]!));
      const living = await world.feed.findVisiblePosts(viewerOf(ann), postIds);
      return postIds.map((postId) => living.get(postId));
    },
    refresh: async () => undefined,
  };
  const page = { direction: 'forward' as const, limit: 2, cursor: null };
  const [list] = await pageAuthorPosts({ ...world, posts: deleting }, viewerOf(ann), [ann], page);
  expect(list?.edges.map(({ node }) => node.postId)).toEqual([posts[2]]);
  expect(list?.pageInfo.hasNextPage).toBe(true);
  const rest = { ...page, cursor: list!.pageInfo.endCursor };
  const [next] = await world.feed.pageAuthorPosts(viewerOf(ann), [ann], rest);
  expect(next?.edges.map(({ node }) => node.postId)).toEqual([posts[0]]);
});

describe('the spam check', () => {
  it('takes the same text five times in ten minutes, whatever its case, and then no more', async () => {
    const check = createSpamCheck(world);
    for (let n = 0; n < 4; n += 1) await post(ann, 'Buy now');
    expect(await check({ authorId: ann, content: ' buy NOW ' })).toBeNull();
    await post(ann, 'BUY NOW');
    expect(await check({ authorId: ann, content: 'buy now' })).toMatch(/same text/);
    expect(await check({ authorId: ben, content: 'buy now' })).toBeNull();
    expect(await check({ authorId: ann, content: '' })).toBeNull();
  });

  it('takes five shares of a post that say nothing, and then no more of that post', async () => {
    const check = createSpamCheck(world);
    const [original, other] = [await post(ann, 'look'), await post(ann, 'here too')];
    const again = (sharedPostId: string) => check({ authorId: ben, content: ' ', sharedPostId });
    for (let n = 0; n < 4; n += 1) given(await share(ben, original));
    expect(await again(original)).toBeNull();
    given(await share(ben, original));
    expect(await again(original)).toMatch(/same post/);
    expect(await again(other)).toBeNull();
    expect(await check({ authorId: ben, content: 'so true', sharedPostId: original })).toBeNull();
  });

  it('takes ten links and not eleven', async () => {
    const check = createSpamCheck(world);
    const links = (count: number): string => Array(count).fill('https://example.com').join(' ');
    expect(await check({ authorId: ann, content: links(10) })).toBeNull();
    expect(await check({ authorId: ann, content: links(11) })).toMatch(/10 links/);
  });

  it('is named, replaceable, and never refuses a repeat', async () => {
    let verdict: string | null = null;
    const strict = await openFeedWorld({ spamCheck: async () => verdict });
    try {
      await strict.feed.signIn('ann');
      const send = () =>
        strict.feed.publishPost(callerOf('ann'), {
          content: 'hello',
          visibility: 'public',
          idempotencyKey: 'k',
        });
      const first = given(await send());
      verdict = 'No more of this';
      expect(given(await send()).postId).toBe(first.postId);
      expect(
        await strict.feed.publishPost(callerOf('ann'), { content: 'again', visibility: 'public' }),
      ).toMatchObject({
        errors: [{ code: 'CONTENT_REJECTED', message: 'No more of this', path: ['input', 'content'] }],
      });
      expect(
        codeOf(await strict.feed.editPost(callerOf('ann'), { postId: first.postId, content: 'x' })),
      ).toBe('CONTENT_REJECTED');
      // Of what one may not see nothing is told, not even that one's text would be refused there.
      await strict.feed.signIn('ben');
      const shareAsBen = async () =>
        codeOf(await strict.feed.sharePost(callerOf('ben'), { postId: first.postId, content: 'x' }));
      expect(await shareAsBen()).toBe('CONTENT_REJECTED');
      await strict.feed.blockUser(callerOf('ann'), 'ben');
      expect(await shareAsBen()).toBe('NOT_FOUND');
    } finally {
      await strict.close();
    }
  });
});

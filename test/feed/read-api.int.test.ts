import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { callerOf } from './feed-world.js';
import { FEED, type FeedApi, openFeedApi, start } from './read-api-world.js';

const MARK =
  'mutation ($cursor: String!) { markFeedRead(input: { cursor: $cursor }) { readMarker userErrors { code path } } }';

let api: FeedApi;
let posts: readonly string[];
beforeAll(async () => {
  api = await openFeedApi();
  ({ posts } = api);
});
afterAll(() => api?.close());

describe('the feed in GraphQL', () => {
  it.each([0, -1, 101])('refuses a page of %i', async (first) => {
    expect((await api.ask('ann', FEED, { first })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('refuses last and before with RANKED, and both directions at once', async () => {
    for (const variables of [{ last: 5 }, { before: 'x' }])
      expect(
        (await api.ask('ann', FEED, { ...variables, order: 'RANKED' })).errors?.[0]?.extensions.code,
      ).toMatch(/BAD_USER_INPUT|BAD_CURSOR/);
    const both = await api.ask('ann', FEED, { first: 5, last: 5 });
    expect(both.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it.each(['', 'forged', 'W10'])('refuses the cursor %j', async (after) => {
    for (const order of ['RANKED', 'LATEST'])
      expect((await api.ask('ann', FEED, { after, order })).errors?.[0]?.extensions.code).toBe('BAD_CURSOR');
  });
});

describe('the read marker', () => {
  it('moves up by cursors of either order, never down, and counts what is newer', async () => {
    const unread = (await api.ask('ann', FEED)).data.feed;
    expect(unread).toMatchObject({ readMarker: null, newerThanReadMarker: 30 });
    const { edges } = (await api.ask('ann', FEED, { first: 30 })).data.feed;
    const first = (await api.ask('ann', MARK, { cursor: edges[10].cursor })).data.markFeedRead;
    expect(first.userErrors).toEqual([]);
    const marked = (await api.ask('ann', FEED)).data.feed;
    expect(marked).toMatchObject({ readMarker: first.readMarker, newerThanReadMarker: 10 });
    const back = (await api.ask('ann', MARK, { cursor: edges[20].cursor })).data.markFeedRead;
    expect(back.readMarker).toBe(first.readMarker);
    const ranked = (await api.ask('ann', FEED, { first: 30, order: 'RANKED' })).data.feed.edges;
    const newest = ranked.find((edge: { node: { postId: string } }) => edge.node.postId === posts[4]);
    await api.ask('ann', MARK, { cursor: newest.cursor });
    expect((await api.ask('ann', FEED)).data.feed.newerThanReadMarker).toBe(4);
    await forgetAll(api.world.redis);
    expect((await api.ask('ann', FEED)).data.feed.newerThanReadMarker).toBe(4);
  });

  it('is a place to read from: before it stands what is newer', async () => {
    const { readMarker } = (await api.ask('ann', FEED)).data.feed;
    const newer = (await api.ask('ann', FEED, { last: 20, before: readMarker })).data.feed;
    expect(newer.edges.map((edge: { node: { postId: string } }) => edge.node.postId)).toEqual(
      posts.slice(0, 4),
    );
  });

  it('refuses a cursor that its reader was not given', async () => {
    const { edges } = (await api.ask('ann', FEED, { first: 1 })).data.feed;
    for (const [who, cursor] of [
      ['ben', edges[0].cursor],
      ['ann', 'forged'],
      ['ann', ''],
    ]) {
      expect((await api.ask(who!, MARK, { cursor })).data.markFeedRead).toEqual({
        readMarker: null,
        userErrors: [{ code: 'BAD_CURSOR', path: ['input', 'cursor'] }],
      });
    }
  });
});

describe('GET /api/v1/feed', () => {
  it('answers pages by timestamp:post_id, each post once', async () => {
    const seen: string[] = [];
    for (let path = '?limit=7'; path; ) {
      const { status, body } = await api.get(path, 'ann');
      expect(status).toBe(200);
      seen.push(...body.posts.map((post: { post_id: string }) => post.post_id));
      expect(body.has_more).toBe(body.next_cursor !== null);
      path = body.next_cursor === null ? '' : `?limit=7&cursor=${body.next_cursor}`;
    }
    expect(seen.toSorted()).toEqual(posts.toSorted());
  });

  it('takes a bare timestamp in seconds or milliseconds, and starts strictly older', async () => {
    const at = start + 10_000;
    const idsBelow = async (cursor: number) =>
      (await api.get(`?limit=100&cursor=${cursor}`, 'ann')).body.posts.map(
        (post: { post_id: string }) => post.post_id,
      );
    expect((await idsBelow(at)).toSorted()).toEqual(posts.slice(-10).toSorted());
    const second = Math.floor(at / 1000);
    expect((await idsBelow(second)).toSorted()).toEqual((await idsBelow(second * 1000)).toSorted());
  });

  it('has the fields of the document', async () => {
    const { body } = await api.get('?limit=1', 'ann');
    expect(body.posts[0]).toMatchObject({
      post_id: posts[0],
      user_id: 'ben',
      content: 'x',
      media_urls: [],
      created_at: expect.stringMatching(/Z$/),
      like_count: 0,
      share_count: 0,
      comment_count: 0,
      author: { user_id: 'ben', display_name: 'ben', avatar_url: null, is_verified: false },
    });
  });

  it('names the post that is shared as long as the viewer may see it', async () => {
    await api.read.signIn('quoter');
    const write = async (content: string) =>
      api.world.feed.publishPost(callerOf('quoter'), { content, visibility: 'public' });
    const original = await write('first');
    if (!original.ok) throw new Error('not published');
    const { postId } = original.value;
    await api.world.feed.sharePost(callerOf('quoter'), { postId, content: 'as I said' });
    const shared = async () => (await api.get('?limit=10', 'quoter')).body.posts.map(sharedBy);
    const sharedBy = (post: { shared_post_id: string | null }) => post.shared_post_id;
    expect((await shared()).toSorted()).toEqual([postId, null]);
    await api.world.feed.deletePost(callerOf('quoter'), postId);
    expect(await shared()).toEqual([null]);
  });

  it('refuses what it cannot read, and whom it does not know', async () => {
    expect((await api.get('')).status).toBe(401);
    for (const cursor of ['', 'x', '-5', '1.5', '17:abc', '99999999999999999', 'W10'])
      expect(await api.get(`?cursor=${cursor}`, 'ann')).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_CURSOR' } },
      });
    for (const query of ['limit=0', 'limit=-1', 'limit=101', 'limit=x', 'limit=', 'offset=3'])
      expect(await api.get(`?${query}`, 'ann')).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_USER_INPUT', path: [query.split('=')[0]] } },
      });
  });
});

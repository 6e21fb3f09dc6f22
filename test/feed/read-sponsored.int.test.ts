import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOf } from './feed-world.js';
import { type Answer, FEED, type FeedApi, openFeedApi } from './read-api-world.js';

const SPONSOR =
  'mutation ($input: SponsorPostInput!) { sponsorPost(input: $input) { post { postId } userErrors { code path } } }';
const UNSPONSOR =
  'mutation ($postId: ID!) { unsponsorPost(input: { postId: $postId }) { post { postId } userErrors { code } } }';

let api: FeedApi;
let posts: readonly string[];
beforeAll(async () => {
  api = await openFeedApi();
  ({ posts } = api);
});
afterAll(() => api?.close());

interface WalkedEdge {
  readonly cursor: string;
  readonly isSponsored: boolean;
  readonly node: { readonly postId: string };
  readonly why: { readonly source: string };
}

/** All edges of a feed, page by page. */
async function walk(userId: string, first: number, order: 'LATEST' | 'RANKED'): Promise<WalkedEdge[]> {
  const edges: WalkedEdge[] = [];
  for (let after: string | null = null; ; ) {
    const answer: Answer = await api.ask(userId, FEED, { first, after, order });
    const page = answer.data.feed;
    expect(page.edges.length).toBeLessThanOrEqual(first);
    edges.push(...page.edges);
    if (!page.pageInfo.hasNextPage) return edges;
    after = page.pageInfo.endCursor;
  }
}

describe('sponsored posts', () => {
  it('of an author whom the reader follows come once too, as sponsored or not', async () => {
    const paid = [posts[1]!, posts[28]!];
    for (const postId of paid) await api.ask('root', SPONSOR, { input: { postId } }, 'admin');
    for (const order of ['LATEST', 'RANKED'] as const)
      for (const first of [3, 5, 20, 50]) {
        const given = (await walk('ann', first, order)).map(({ node }) => node.postId);
        expect(given.toSorted()).toEqual(posts.toSorted());
      }
    for (const postId of paid) await api.ask('root', UNSPONSOR, { postId }, 'admin');
  });

  it('stand at 3, 8 and 15, marked, each once on the way through a feed, with cursors of their own', async () => {
    const paid: string[] = [];
    for (const content of ['buy one', 'buy two', 'buy three']) {
      const result = await api.world.feed.publishPost(callerOf('shop'), { content, visibility: 'public' });
      if (result.ok) paid.push(result.value.postId);
    }
    for (const postId of paid)
      expect((await api.ask('root', SPONSOR, { input: { postId } }, 'admin')).data.sponsorPost).toEqual({
        post: { postId },
        userErrors: [],
      });
    for (const order of ['LATEST', 'RANKED'] as const)
      for (const first of [1, 3, 20]) {
        const edges = await walk('ann', first, order);
        const sponsored = edges.filter(({ isSponsored }) => isSponsored).map(({ node }) => node.postId);
        expect(sponsored.toSorted()).toEqual(first < 3 ? [] : paid.toSorted());
        if (first === 20)
          expect(edges.flatMap((edge, i) => (edge.isSponsored ? [i] : []))).toEqual([2, 7, 14]);
        for (const edge of edges) expect(edge.why.source === 'SPONSORED').toBe(edge.isSponsored);
        expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(edges.length);
        const organic = edges.filter(({ isSponsored }) => !isSponsored).map(({ node }) => node.postId);
        if (order === 'LATEST') expect(organic).toEqual(posts);
        else expect(organic.toSorted()).toEqual(posts.toSorted());
        // Whoever goes on behind a sponsored post goes on behind the one before it.
        const at = edges.findIndex(({ isSponsored }) => isSponsored);
        if (at < 0) continue;
        const next = (await api.ask('ann', FEED, { first: 1, after: edges[at]!.cursor, order })).data.feed;
        expect(next.edges[0].node.postId).toBe(edges[at + 1]!.node.postId);
      }
    const { body } = await api.get('?limit=20', 'ann');
    const marks = body.posts.map((post: { is_sponsored: boolean }) => post.is_sponsored);
    expect(marks.flatMap((isPaid: boolean, i: number) => (isPaid ? i + 1 : []))).toEqual([3, 8, 15]);
    for (const postId of paid) await api.ask('root', UNSPONSOR, { postId }, 'admin');
    const { edges } = (await api.ask('ann', FEED)).data.feed;
    expect(edges.some((edge: { isSponsored: boolean }) => edge.isSponsored)).toBe(false);
  });

  it('are listed for admins, with when they run; what is absent stays, and null clears it', async () => {
    const list = '{ sponsoredPosts(first: 1) { totalCount edges { startsAt endsAt node { postId } } } }';
    const sponsor = async (input: object) =>
      (await api.ask('root', SPONSOR, { input: { postId: posts[3], ...input } }, 'admin')).data.sponsorPost
        .userErrors;
    const listed = async () => (await api.ask('root', list, {}, 'admin')).data.sponsoredPosts;
    const [startsAt, endsAt] = ['2031-01-01T00:00:00.000Z', '2031-02-01T00:00:00.000Z'];
    expect(await sponsor({ startsAt, endsAt })).toEqual([]);
    const all = await listed();
    expect(all.edges).toEqual([{ startsAt, endsAt, node: { postId: posts[3] } }]);
    expect(await sponsor({})).toEqual([]);
    expect(await listed()).toEqual(all);
    expect(await sponsor({ startsAt: '2031-03-01T00:00:00Z' })).toMatchObject([
      { code: 'ENDS_BEFORE_START' },
    ]);
    expect(await sponsor({ endsAt: null })).toEqual([]);
    expect((await listed()).edges[0]).toMatchObject({ startsAt, endsAt: null });
    await api.ask('root', UNSPONSOR, { postId: posts[3] }, 'admin');
    expect((await listed()).totalCount).toBe(all.totalCount - 1);
    expect((await api.ask('ann', list)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('are for admins, public and of sound dates', async () => {
    expect(
      (await api.ask('ann', SPONSOR, { input: { postId: posts[0] } })).errors?.[0]?.extensions.code,
    ).toBe('FORBIDDEN');
    const codeOf = async (input: object) =>
      (await api.ask('root', SPONSOR, { input }, 'admin')).data.sponsorPost.userErrors[0]?.code;
    expect(await codeOf({ postId: 'nothing' })).toBe('NOT_FOUND');
    const dates = { startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' };
    expect(await codeOf({ postId: posts[0], ...dates })).toBe('ENDS_BEFORE_START');
    const hidden = await api.world.feed.publishPost(callerOf('shop'), {
      content: 'psst',
      visibility: 'private',
    });
    expect(await codeOf({ postId: hidden.ok && hidden.value.postId })).toBe('POST_NOT_PUBLIC');
  });
});

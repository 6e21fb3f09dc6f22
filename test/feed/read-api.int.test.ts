import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/context.js';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerFeedRoutes } from '../../src/http/feed.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { callerOf, type FeedWorld, openFeedWorld, silent } from './feed-world.js';
import { type ReadWorld, reading } from './read-world.js';

const secret = 'a secret of thirty-two characters';
const start = Date.now() - 3_600_000;

let world: FeedWorld;
let read: ReadWorld;
let edge: Edge;
let url: string;
let posts: string[];

beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
  const app = { feed: world.feed } as RequestContext['app'];
  edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) =>
      ({ ...request, app, loaders: createLoaders(app, request.viewer) }) as unknown as RequestContext,
    logger: silent,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    async routes(fastify, openRequest) {
      await holdAnswersToDocument(fastify);
      registerFeedRoutes(fastify, { app, openRequest });
    },
  });
  url = await edge.listen({ host: '127.0.0.1', port: 0 });
  await read.signIn('ann', 'ben', 'shop');
  await read.follow('ann', 'ben');
  posts = (
    await read.insert(
      'ben',
      Array.from({ length: 30 }, (_, i) => start + i * 1000),
    )
  ).toReversed();
});
afterAll(async () => {
  await edge?.close();
  await world?.close();
});

const bearer = async (userId: string, ...roles: Role[]) =>
  `Bearer ${await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 })}`;

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what a query answers depends on the query
  readonly data: any;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(userId: string, query: string, variables = {}, ...roles: Role[]): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: await bearer(userId, ...roles) },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Answer;
}

async function get(path: string, userId?: string) {
  const headers = userId ? { authorization: await bearer(userId) } : {};
  const response = await fetch(`${url}/api/v1/feed${path}`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: the document's response, or an error
  return { status: response.status, body: (await response.json()) as any };
}

const FEED = `query ($first: Int, $after: String, $last: Int, $before: String, $order: FeedOrder! = LATEST) {
  feed(first: $first, after: $after, last: $last, before: $before, order: $order) {
    edges { cursor isSponsored node { postId } why { source score terms { name weight value } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    readMarker newerThanReadMarker
  }
}`;
const MARK =
  'mutation ($cursor: String!) { markFeedRead(input: { cursor: $cursor }) { readMarker userErrors { code path } } }';
const SPONSOR =
  'mutation ($input: SponsorPostInput!) { sponsorPost(input: $input) { post { postId } userErrors { code path } } }';
const UNSPONSOR =
  'mutation ($postId: ID!) { unsponsorPost(input: { postId: $postId }) { post { postId } userErrors { code } } }';

describe('the feed in GraphQL', () => {
  it.each([0, -1, 101])('refuses a page of %i', async (first) => {
    expect((await ask('ann', FEED, { first })).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it('refuses last and before with RANKED, and both directions at once', async () => {
    for (const variables of [{ last: 5 }, { before: 'x' }])
      expect(
        (await ask('ann', FEED, { ...variables, order: 'RANKED' })).errors?.[0]?.extensions.code,
      ).toMatch(/BAD_USER_INPUT|BAD_CURSOR/);
    const both = await ask('ann', FEED, { first: 5, last: 5 });
    expect(both.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
  });

  it.each(['', 'forged', 'W10'])('refuses the cursor %j', async (after) => {
    for (const order of ['RANKED', 'LATEST'])
      expect((await ask('ann', FEED, { after, order })).errors?.[0]?.extensions.code).toBe('BAD_CURSOR');
  });
});

describe('the read marker', () => {
  it('moves up by cursors of either order, never down, and counts what is newer', async () => {
    const unread = (await ask('ann', FEED)).data.feed;
    expect(unread).toMatchObject({ readMarker: null, newerThanReadMarker: 30 });
    const { edges } = (await ask('ann', FEED, { first: 30 })).data.feed;
    const first = (await ask('ann', MARK, { cursor: edges[10].cursor })).data.markFeedRead;
    expect(first.userErrors).toEqual([]);
    const marked = (await ask('ann', FEED)).data.feed;
    expect(marked).toMatchObject({ readMarker: first.readMarker, newerThanReadMarker: 10 });
    const back = (await ask('ann', MARK, { cursor: edges[20].cursor })).data.markFeedRead;
    expect(back.readMarker).toBe(first.readMarker);
    const ranked = (await ask('ann', FEED, { first: 30, order: 'RANKED' })).data.feed.edges;
    const newest = ranked.find((edge: { node: { postId: string } }) => edge.node.postId === posts[4]);
    await ask('ann', MARK, { cursor: newest.cursor });
    expect((await ask('ann', FEED)).data.feed.newerThanReadMarker).toBe(4);
    await world.redis.flushall();
    expect((await ask('ann', FEED)).data.feed.newerThanReadMarker).toBe(4);
  });

  it('is a place to read from: before it stands what is newer', async () => {
    const { readMarker } = (await ask('ann', FEED)).data.feed;
    const newer = (await ask('ann', FEED, { last: 20, before: readMarker })).data.feed;
    expect(newer.edges.map((edge: { node: { postId: string } }) => edge.node.postId)).toEqual(
      posts.slice(0, 4),
    );
  });

  it('refuses a cursor that its reader was not given', async () => {
    const { edges } = (await ask('ann', FEED, { first: 1 })).data.feed;
    for (const [who, cursor] of [
      ['ben', edges[0].cursor],
      ['ann', 'forged'],
      ['ann', ''],
    ]) {
      expect((await ask(who!, MARK, { cursor })).data.markFeedRead).toEqual({
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
      const { status, body } = await get(path, 'ann');
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
      (await get(`?limit=100&cursor=${cursor}`, 'ann')).body.posts.map(
        (post: { post_id: string }) => post.post_id,
      );
    expect((await idsBelow(at)).toSorted()).toEqual(posts.slice(-10).toSorted());
    const second = Math.floor(at / 1000);
    expect((await idsBelow(second)).toSorted()).toEqual((await idsBelow(second * 1000)).toSorted());
  });

  it('has the fields of the document', async () => {
    const { body } = await get('?limit=1', 'ann');
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
    await read.signIn('quoter');
    const write = async (content: string) =>
      world.feed.publishPost(callerOf('quoter'), { content, visibility: 'public' });
    const original = await write('first');
    if (!original.ok) throw new Error('not published');
    const { postId } = original.value;
    await world.feed.sharePost(callerOf('quoter'), { postId, content: 'as I said' });
    const shared = async () => (await get('?limit=10', 'quoter')).body.posts.map(sharedBy);
    const sharedBy = (post: { shared_post_id: string | null }) => post.shared_post_id;
    expect((await shared()).toSorted()).toEqual([postId, null]);
    await world.feed.deletePost(callerOf('quoter'), postId);
    expect(await shared()).toEqual([null]);
  });

  it('refuses what it cannot read, and whom it does not know', async () => {
    expect((await get('')).status).toBe(401);
    for (const cursor of ['', 'x', '-5', '1.5', '17:abc', '99999999999999999', 'W10'])
      expect(await get(`?cursor=${cursor}`, 'ann')).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_CURSOR' } },
      });
    for (const query of ['limit=0', 'limit=-1', 'limit=101', 'limit=x', 'limit=', 'offset=3'])
      expect(await get(`?${query}`, 'ann')).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_USER_INPUT', path: [query.split('=')[0]] } },
      });
  });
});

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
    const answer: Answer = await ask(userId, FEED, { first, after, order });
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
    for (const postId of paid) await ask('root', SPONSOR, { input: { postId } }, 'admin');
    for (const order of ['LATEST', 'RANKED'] as const)
      for (const first of [3, 5, 20, 50]) {
        const given = (await walk('ann', first, order)).map(({ node }) => node.postId);
        expect(given.toSorted()).toEqual(posts.toSorted());
      }
    for (const postId of paid) await ask('root', UNSPONSOR, { postId }, 'admin');
  });

  it('stand at 3, 8 and 15, marked, each once on the way through a feed, with cursors of their own', async () => {
    const paid: string[] = [];
    for (const content of ['buy one', 'buy two', 'buy three']) {
      const result = await world.feed.publishPost(callerOf('shop'), { content, visibility: 'public' });
      if (result.ok) paid.push(result.value.postId);
    }
    for (const postId of paid)
      expect((await ask('root', SPONSOR, { input: { postId } }, 'admin')).data.sponsorPost).toEqual({
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
        const next = (await ask('ann', FEED, { first: 1, after: edges[at]!.cursor, order })).data.feed;
        expect(next.edges[0].node.postId).toBe(edges[at + 1]!.node.postId);
      }
    const { body } = await get('?limit=20', 'ann');
    const marks = body.posts.map((post: { is_sponsored: boolean }) => post.is_sponsored);
    expect(marks.flatMap((isPaid: boolean, i: number) => (isPaid ? i + 1 : []))).toEqual([3, 8, 15]);
    for (const postId of paid) await ask('root', UNSPONSOR, { postId }, 'admin');
    const { edges } = (await ask('ann', FEED)).data.feed;
    expect(edges.some((edge: { isSponsored: boolean }) => edge.isSponsored)).toBe(false);
  });

  it('are listed for admins, with when they run; what is absent stays, and null clears it', async () => {
    const list = '{ sponsoredPosts(first: 1) { totalCount edges { startsAt endsAt node { postId } } } }';
    const sponsor = async (input: object) =>
      (await ask('root', SPONSOR, { input: { postId: posts[3], ...input } }, 'admin')).data.sponsorPost
        .userErrors;
    const listed = async () => (await ask('root', list, {}, 'admin')).data.sponsoredPosts;
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
    await ask('root', UNSPONSOR, { postId: posts[3] }, 'admin');
    expect((await listed()).totalCount).toBe(all.totalCount - 1);
    expect((await ask('ann', list)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
  });

  it('are for admins, public and of sound dates', async () => {
    expect((await ask('ann', SPONSOR, { input: { postId: posts[0] } })).errors?.[0]?.extensions.code).toBe(
      'FORBIDDEN',
    );
    const codeOf = async (input: object) =>
      (await ask('root', SPONSOR, { input }, 'admin')).data.sponsorPost.userErrors[0]?.code;
    expect(await codeOf({ postId: 'nothing' })).toBe('NOT_FOUND');
    const dates = { startsAt: '2030-01-02T00:00:00Z', endsAt: '2030-01-01T00:00:00Z' };
    expect(await codeOf({ postId: posts[0], ...dates })).toBe('ENDS_BEFORE_START');
    const hidden = await world.feed.publishPost(callerOf('shop'), { content: 'psst', visibility: 'private' });
    expect(await codeOf({ postId: hidden.ok && hidden.value.postId })).toBe('POST_NOT_PUBLIC');
  });
});

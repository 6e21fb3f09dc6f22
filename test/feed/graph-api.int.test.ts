import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/context.js';
import { createEdge } from '../../src/edge/index.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLogger } from '../../src/platform/logger.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';

const secret = 'a secret of thirty-two characters';
const logger = createLogger('graph test', 'silent');

let world: FeedWorld;
let edge: Awaited<ReturnType<typeof createEdge>>;
let url: string;

beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat']) await world.feed.signIn(userId);
  const app = { feed: world.feed, clock: systemClock, logger } as unknown as RequestContext['app'];
  edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) =>
      ({ ...request, app, loaders: createLoaders(app, request.viewer) }) as unknown as RequestContext,
    logger,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
  });
  url = await edge.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await edge?.close();
  await world.close();
});

interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(
  userId: string | null,
  query: string,
  variables: object = {},
  ...roles: Role[]
): Promise<Answer> {
  const token = userId && (await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 }));
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  return (await answer.json()) as Answer;
}

const change = (userId: string, mutation: string, other: string) =>
  ask(
    userId,
    `mutation ($userId: ID!) {
      ${mutation}(input: { userId: $userId }) {
        user { userId viewerFollows followsViewer viewerMutes viewerBlocks followerCount }
        userErrors { code path }
      }
    }`,
    { userId: other },
  );

describe('people over GraphQL', () => {
  it('answers the viewer’s relation to the other user in the payload of the change', async () => {
    const ben = {
      userId: 'ben',
      viewerFollows: false,
      followsViewer: false,
      viewerMutes: false,
      viewerBlocks: false,
    };
    for (const [mutation, user] of [
      ['followUser', { ...ben, viewerFollows: true, followerCount: 1 }],
      ['muteUser', { ...ben, viewerFollows: true, viewerMutes: true, followerCount: 1 }],
      ['blockUser', { ...ben, viewerMutes: true, viewerBlocks: true, followerCount: 1 }],
      ['unblockUser', { ...ben, viewerFollows: true, viewerMutes: true, followerCount: 1 }],
      ['unmuteUser', { ...ben, viewerFollows: true, followerCount: 1 }],
      ['unfollowUser', { ...ben, followerCount: 0 }],
    ] as const) {
      expect(await change('ann', mutation, 'ben')).toEqual({
        data: { [mutation]: { user, userErrors: [] } },
      });
    }
  });

  it('says it again after each of several changes in one operation', async () => {
    const answer = await ask(
      'cat',
      `mutation {
        one: followUser(input: { userId: "ben" }) { user { viewerFollows followerCount } }
        two: unfollowUser(input: { userId: "ben" }) { user { viewerFollows followerCount } }
      }`,
    );
    expect(answer.data).toEqual({
      one: { user: { viewerFollows: true, followerCount: 1 } },
      two: { user: { viewerFollows: false, followerCount: 0 } },
    });
  });

  it('finds no user by an id that no user can have', async () => {
    const query = 'query ($userId: ID!) { user(userId: $userId) { userId } }';
    for (const userId of ['', 'x'.repeat(65), 'nobody']) {
      expect(await ask('cat', query, { userId })).toEqual({ data: { user: null } });
    }
  });

  it('names what is wrong, and where', async () => {
    expect(await change('ann', 'followUser', 'ann')).toEqual({
      data: {
        followUser: {
          user: null,
          userErrors: [{ code: 'CANNOT_FOLLOW_YOURSELF', path: ['input', 'userId'] }],
        },
      },
    });
  });

  it('shows a blocked person a bare profile of the blocker: no posts, no lists, nothing that says so', async () => {
    await change('cat', 'followUser', 'ann');
    await change('ben', 'followUser', 'ann');
    await world.feed.publishPost(
      { viewer: { userId: 'ann', roles: new Set(), plan: 'free' }, correlationId: 't' },
      {
        content: 'hello',
        visibility: 'public',
      },
    );
    await change('ann', 'blockUser', 'cat');
    const profile = `{
      user(userId: "ann") {
        displayName followerCount viewerFollows followsViewer viewerBlocks
        posts { edges { node { content } } } followers { edges { node { userId } } totalCount }
      }
    }`;
    expect(await ask('cat', profile)).toEqual({
      data: {
        user: {
          displayName: 'ann',
          followerCount: 2,
          viewerFollows: false,
          followsViewer: false,
          viewerBlocks: false,
          posts: { edges: [] },
          followers: { edges: [], totalCount: 2 },
        },
      },
    });
    expect(await ask('ben', profile)).toMatchObject({
      data: {
        user: {
          viewerFollows: true,
          posts: { edges: [{ node: { content: 'hello' } }] },
          followers: { edges: [{ node: { userId: 'ben' } }, { node: { userId: 'cat' } }] },
        },
      },
    });
  });

  it('keeps lists to their owner', async () => {
    await change('ben', 'muteUser', 'cat');
    await change('ben', 'blockUser', 'ann');
    await ask(
      'ben',
      'mutation { setMutedKeywords(input: { keywords: ["spoiler"] }) { keywords userErrors { code } } }',
    );
    const own =
      '{ mutedUsers { totalCount edges { node { userId } } } blockedUsers { edges { node { userId } } } mutedKeywords }';
    expect(await ask('ben', own)).toEqual({
      data: {
        mutedUsers: { totalCount: 1, edges: [{ node: { userId: 'cat' } }] },
        blockedUsers: { edges: [{ node: { userId: 'ann' } }] },
        mutedKeywords: ['spoiler'],
      },
    });
    const anonymous = await ask(null, own);
    expect(anonymous.data).toEqual({ mutedUsers: null, blockedUsers: null, mutedKeywords: null });
    expect(anonymous.errors?.map((error) => error.extensions.code)).toEqual(Array(3).fill('UNAUTHENTICATED'));
  });

  it('answers the keywords as they were where a change is refused', async () => {
    const set =
      'mutation ($keywords: [String!]!) { setMutedKeywords(input: { keywords: $keywords }) { keywords userErrors { code path } } }';
    await ask('ann', set, { keywords: ['kept'] });
    expect(await ask('ann', set, { keywords: ['fine', ' '] })).toEqual({
      data: {
        setMutedKeywords: {
          keywords: ['kept'],
          userErrors: [{ code: 'KEYWORD_EMPTY', path: ['input', 'keywords', '1'] }],
        },
      },
    });
  });

  it('searches people', async () => {
    const search =
      'query ($query: String!, $first: Int) { searchUsers(query: $query, first: $first) { totalCount totalCountIsEstimate edges { node { userId } } } }';
    expect(await ask('cat', search, { query: 'B' })).toEqual({
      data: {
        searchUsers: { totalCount: 1, totalCountIsEstimate: false, edges: [{ node: { userId: 'ben' } }] },
      },
    });
    for (const variables of [{ query: '' }, { query: 'b', first: 0 }, { query: 'b', first: 101 }]) {
      const { errors } = await ask('cat', search, variables);
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
    expect((await ask(null, search, { query: 'b' })).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('takes a close friend among those whom one follows', async () => {
    const set =
      'mutation { setCloseFriend(input: { userId: "cat", isCloseFriend: true }) { user { userId } userErrors { code } } }';
    expect(await ask('ben', set)).toEqual({
      data: { setCloseFriend: { user: null, userErrors: [{ code: 'NOT_FOLLOWING' }] } },
    });
    await change('ben', 'followUser', 'cat');
    expect(await ask('ben', set)).toEqual({
      data: { setCloseFriend: { user: { userId: 'cat' }, userErrors: [] } },
    });
  });

  it('lists close friends to their owner alone, as long as they are followed and no block is between', async () => {
    for (const userId of ['dan', 'eve', 'flo']) await world.feed.signIn(userId);
    for (const friend of ['eve', 'flo']) {
      await change('dan', 'followUser', friend);
      await ask(
        'dan',
        `mutation { setCloseFriend(input: { userId: "${friend}", isCloseFriend: true }) { user { id } } }`,
      );
    }
    const friends =
      'query ($after: String) { closeFriends(first: 1, after: $after) { totalCount nodes { userId } pageInfo { endCursor hasNextPage } } }';
    const page = (await ask('dan', friends)).data as {
      closeFriends: { pageInfo: { endCursor: string; hasNextPage: boolean } };
    };
    expect(page.closeFriends).toMatchObject({
      totalCount: 2,
      nodes: [{ userId: 'flo' }],
      pageInfo: { hasNextPage: true },
    });
    const { endCursor } = page.closeFriends.pageInfo;
    expect(await ask('dan', friends, { after: endCursor })).toMatchObject({
      data: { closeFriends: { nodes: [{ userId: 'eve' }], pageInfo: { hasNextPage: false } } },
    });
    expect(await ask('dan', '{ mutedUsers(after: "x") { totalCount } }')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_CURSOR' } }],
    });
    await change('dan', 'unfollowUser', 'eve');
    await change('flo', 'blockUser', 'dan');
    expect(await ask('dan', friends)).toMatchObject({ data: { closeFriends: { totalCount: 0, nodes: [] } } });
    expect((await ask(null, friends)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });

  it('shows who is verified at once, also as the author of a post; only an admin says so', async () => {
    await world.feed.signIn('gil');
    const published = await ask(
      'gil',
      'mutation { publishPost(input: { content: "me" }) { post { postId author { isVerified } } } }',
    );
    const { post } = (published.data as { publishPost: { post: { postId: string; author: object } } })
      .publishPost;
    expect(post.author).toEqual({ isVerified: false });
    const verify = (verified: boolean, ...roles: Role[]) =>
      ask(
        'root',
        'mutation ($input: SetVerifiedInput!) { setVerified(input: $input) { user { userId isVerified } userErrors { code path } } }',
        { input: { userId: 'gil', verified } },
        ...roles,
      );
    expect((await verify(true)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    const shown = `{ user(userId: "gil") { isVerified } post(postId: "${post.postId}") { author { isVerified } } }`;
    for (const isVerified of [true, false]) {
      expect(await verify(isVerified, 'admin')).toEqual({
        data: { setVerified: { user: { userId: 'gil', isVerified }, userErrors: [] } },
      });
      expect(await ask('ann', shown)).toEqual({
        data: { user: { isVerified }, post: { author: { isVerified } } },
      });
    }
    expect(
      await ask(
        'root',
        'mutation { setVerified(input: { userId: "nobody", verified: true }) { user { id } userErrors { code path } } }',
        {},
        'admin',
      ),
    ).toEqual({
      data: { setVerified: { user: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'userId'] }] } },
    });
  });

  it('takes global ids for raw ones, in variables and literals, and refuses those of other types by name', async () => {
    await world.feed.signIn('hal');
    const id = toGlobalId('User', 'hal');
    expect(await change('ann', 'followUser', id)).toMatchObject({
      data: { followUser: { user: { userId: 'hal', viewerFollows: true }, userErrors: [] } },
    });
    expect(await ask('ann', `{ user(userId: "${id}") { userId followers { nodes { userId } } } }`)).toEqual({
      data: { user: { userId: 'hal', followers: { nodes: [{ userId: 'ann' }] } } },
    });
    const { data, errors } = await change('ann', 'muteUser', toGlobalId('Post', 'hal'));
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: ['input', 'userId'] });
  });
});

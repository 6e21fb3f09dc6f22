import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestContext } from '../../src/context.js';
import { createEdge } from '../../src/edge/index.js';
import { createAuthenticator, signToken } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLogger } from '../../src/platform/logger.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
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

async function ask(userId: string | null, query: string, variables: object = {}): Promise<Answer> {
  const token =
    userId && (await signToken(secret, { userId, roles: [], plan: 'free', expiresInSeconds: 600 }));
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
  it('says how the viewer stands to somebody, in the answer of the change itself', async () => {
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

  it('knows nobody by an id that nobody can have', async () => {
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
      'query ($query: String!, $first: Int) { searchUsers(query: $query, first: $first) { totalCount edges { node { userId } } } }';
    expect(await ask('cat', search, { query: 'B' })).toEqual({
      data: { searchUsers: { totalCount: 1, edges: [{ node: { userId: 'ben' } }] } },
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
});

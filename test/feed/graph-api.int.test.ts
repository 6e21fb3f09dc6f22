import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../src/platform/auth/auth.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { type GraphApi, openGraphApi } from './graph-api-world.js';

let api: GraphApi;
beforeAll(async () => {
  api = await openGraphApi();
});
afterAll(() => api?.close());

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
      expect(await api.change('ann', mutation, 'ben')).toEqual({
        data: { [mutation]: { user, userErrors: [] } },
      });
    }
  });

  it('says it again after each of several changes in one operation', async () => {
    const answer = await api.ask(
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
      expect(await api.ask('cat', query, { userId })).toEqual({ data: { user: null } });
    }
  });

  it('names what is wrong, and where', async () => {
    expect(await api.change('ann', 'followUser', 'ann')).toEqual({
      data: {
        followUser: {
          user: null,
          userErrors: [{ code: 'CANNOT_FOLLOW_YOURSELF', path: ['input', 'userId'] }],
        },
      },
    });
  });

  it('shows a blocked person a bare profile of the blocker: no posts, no lists, nothing that says so', async () => {
    await api.change('cat', 'followUser', 'ann');
    await api.change('ben', 'followUser', 'ann');
    await api.feed.publishPost(
      { viewer: { userId: 'ann', roles: new Set(), plan: 'free' }, correlationId: 't' },
      {
        content: 'hello',
        visibility: 'public',
      },
    );
    await api.change('ann', 'blockUser', 'cat');
    const profile = `{
      user(userId: "ann") {
        displayName followerCount viewerFollows followsViewer viewerBlocks
        posts { edges { node { content } } } followers { edges { node { userId } } totalCount }
      }
    }`;
    expect(await api.ask('cat', profile)).toEqual({
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
    expect(await api.ask('ben', profile)).toMatchObject({
      data: {
        user: {
          viewerFollows: true,
          posts: { edges: [{ node: { content: 'hello' } }] },
          followers: { edges: [{ node: { userId: 'ben' } }, { node: { userId: 'cat' } }] },
        },
      },
    });
  });

  it('shows who is verified at once, also as the author of a post; only an admin says so', async () => {
    await api.feed.signIn('gil');
    const published = await api.ask(
      'gil',
      'mutation { publishPost(input: { content: "me" }) { post { postId author { isVerified } } } }',
    );
    const { post } = (published.data as { publishPost: { post: { postId: string; author: object } } })
      .publishPost;
    expect(post.author).toEqual({ isVerified: false });
    const verify = (verified: boolean, ...roles: Role[]) =>
      api.ask(
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
      expect(await api.ask('ann', shown)).toEqual({
        data: { user: { isVerified }, post: { author: { isVerified } } },
      });
    }
    expect(
      await api.ask(
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
    await api.feed.signIn('hal');
    const id = toGlobalId('User', 'hal');
    expect(await api.change('ann', 'followUser', id)).toMatchObject({
      data: { followUser: { user: { userId: 'hal', viewerFollows: true }, userErrors: [] } },
    });
    expect(
      await api.ask('ann', `{ user(userId: "${id}") { userId followers { nodes { userId } } } }`),
    ).toEqual({
      data: { user: { userId: 'hal', followers: { nodes: [{ userId: 'ann' }] } } },
    });
    const { data, errors } = await api.change('ann', 'muteUser', toGlobalId('Post', 'hal'));
    expect(data).toBeNull();
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', argument: ['input', 'userId'] });
  });
});

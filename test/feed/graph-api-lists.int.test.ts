import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GraphApi, openGraphApi } from './graph-api-world.js';

let api: GraphApi;
beforeAll(async () => {
  api = await openGraphApi();
});
afterAll(() => api?.close());

describe('lists of people over GraphQL', () => {
  it('keeps lists to their owner', async () => {
    await api.change('ben', 'muteUser', 'cat');
    await api.change('ben', 'blockUser', 'ann');
    await api.ask(
      'ben',
      'mutation { setMutedKeywords(input: { keywords: ["spoiler"] }) { keywords userErrors { code } } }',
    );
    const own =
      '{ mutedUsers { totalCount edges { node { userId } } } blockedUsers { edges { node { userId } } } mutedKeywords }';
    expect(await api.ask('ben', own)).toEqual({
      data: {
        mutedUsers: { totalCount: 1, edges: [{ node: { userId: 'cat' } }] },
        blockedUsers: { edges: [{ node: { userId: 'ann' } }] },
        mutedKeywords: ['spoiler'],
      },
    });
    const anonymous = await api.ask(null, own);
    expect(anonymous.data).toEqual({ mutedUsers: null, blockedUsers: null, mutedKeywords: null });
    expect(anonymous.errors?.map((error) => error.extensions.code)).toEqual(Array(3).fill('UNAUTHENTICATED'));
  });

  it('answers the keywords as they were where a change is refused', async () => {
    const set =
      'mutation ($keywords: [String!]!) { setMutedKeywords(input: { keywords: $keywords }) { keywords userErrors { code path } } }';
    await api.ask('ann', set, { keywords: ['kept'] });
    expect(await api.ask('ann', set, { keywords: ['fine', ' '] })).toEqual({
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
    expect(await api.ask('cat', search, { query: 'B' })).toEqual({
      data: {
        searchUsers: { totalCount: 1, totalCountIsEstimate: false, edges: [{ node: { userId: 'ben' } }] },
      },
    });
    for (const variables of [{ query: '' }, { query: 'b', first: 0 }, { query: 'b', first: 101 }]) {
      const { errors } = await api.ask('cat', search, variables);
      expect(errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    }
    expect((await api.ask(null, search, { query: 'b' })).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('takes a close friend among those whom one follows', async () => {
    const set =
      'mutation { setCloseFriend(input: { userId: "cat", isCloseFriend: true }) { user { userId } userErrors { code } } }';
    expect(await api.ask('ben', set)).toEqual({
      data: { setCloseFriend: { user: null, userErrors: [{ code: 'NOT_FOLLOWING' }] } },
    });
    await api.change('ben', 'followUser', 'cat');
    expect(await api.ask('ben', set)).toEqual({
      data: { setCloseFriend: { user: { userId: 'cat' }, userErrors: [] } },
    });
  });

  it('lists close friends to their owner alone, as long as they are followed and no block is between', async () => {
    for (const userId of ['dan', 'eve', 'flo']) await api.feed.signIn(userId);
    for (const friend of ['eve', 'flo']) {
      await api.change('dan', 'followUser', friend);
      await api.ask(
        'dan',
        `mutation { setCloseFriend(input: { userId: "${friend}", isCloseFriend: true }) { user { id } } }`,
      );
    }
    const friends =
      'query ($after: String) { closeFriends(first: 1, after: $after) { totalCount nodes { userId } pageInfo { endCursor hasNextPage } } }';
    const page = (await api.ask('dan', friends)).data as {
      closeFriends: { pageInfo: { endCursor: string; hasNextPage: boolean } };
    };
    expect(page.closeFriends).toMatchObject({
      totalCount: 2,
      nodes: [{ userId: 'flo' }],
      pageInfo: { hasNextPage: true },
    });
    const { endCursor } = page.closeFriends.pageInfo;
    expect(await api.ask('dan', friends, { after: endCursor })).toMatchObject({
      data: { closeFriends: { nodes: [{ userId: 'eve' }], pageInfo: { hasNextPage: false } } },
    });
    expect(await api.ask('dan', '{ mutedUsers(after: "x") { totalCount } }')).toMatchObject({
      errors: [{ extensions: { code: 'BAD_CURSOR' } }],
    });
    await api.change('dan', 'unfollowUser', 'eve');
    await api.change('flo', 'blockUser', 'dan');
    expect(await api.ask('dan', friends)).toMatchObject({
      data: { closeFriends: { totalCount: 0, nodes: [] } },
    });
    expect((await api.ask(null, friends)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
  });
});

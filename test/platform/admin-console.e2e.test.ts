import { afterAll, beforeAll, expect, it } from 'vitest';
import { toGlobalId } from '../../src/schema/relay.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const createKey = graphql(`
  mutation CreateKeyAsAdmin($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key apiKey { id apiKeyId userId roles plan name createdBy revokedAt } userErrors { code path }
    }
  }
`);
const revokeKey = graphql(`
  mutation RevokeKeyAsAdmin($apiKeyId: ID!) {
    revokeApiKey(input: { apiKeyId: $apiKeyId }) { apiKey { revokedAt revokedBy } userErrors { code path } }
  }
`);
const listKeys = graphql(`
  query KeysAsAdmin($userId: ID) {
    apiKeys(first: 10, userId: $userId) { nodes { apiKeyId lastUsedAt } pageInfo { hasNextPage } }
  }
`);
const keyNode = graphql(`query KeyNode($id: ID!) { node(id: $id) { ... on ApiKey { apiKeyId } } }`);
const profile = graphql(`
  mutation ProfileForConsole($name: String!) { upsertProfile(input: { displayName: $name }) { userErrors { code } } }
`);
const follow = graphql(`
  mutation FollowForConsole($userId: ID!) { followUser(input: { userId: $userId }) { userErrors { code } } }
`);
const publish = graphql(`
  mutation PublishForConsole($content: String!) {
    publishPost(input: { content: $content, visibility: FOLLOWERS }) { post { postId } userErrors { code } }
  }
`);
const mute = graphql(`
  mutation MuteForConsole($userId: ID!, $keywords: [String!]!) {
    muteUser(input: { userId: $userId }) { userErrors { code } }
    setMutedKeywords(input: { keywords: $keywords }) { userErrors { code } }
  }
`);
const person = graphql(`
  query PersonForConsole($userId: ID) {
    feed(first: 10, userId: $userId) {
      edges { node { postId content } why { source score } } liveCursor readMarker newerThanReadMarker
    }
    inbox(first: 10, userId: $userId) { nodes { title } unreadCount }
    mutedUsers(first: 10, userId: $userId) { nodes { userId } }
    blockedUsers(first: 10, userId: $userId) { nodes { userId } }
    closeFriends(first: 10, userId: $userId) { nodes { userId } }
    mutedKeywords(userId: $userId)
    devices(userId: $userId) { deviceId }
  }
`);
const forget = graphql(`
  mutation ForgetForConsole($name: String!) {
    forgetProjector(input: { name: $name }) { deletedId userErrors { code path } }
  }
`);
const attributes = graphql(`
  query AttributesForConsole { userAttributes { name type isBuiltIn createdBy deletedAt } }
`);
const attributesOf = graphql(`
  query AttributesOfForConsole($userId: ID!) { attributesOfUser(userId: $userId) }
`);
const setAttribute = graphql(`
  mutation SetAttributeForConsole {
    setUserAttributes(input: { users: [{ userId: "ann", attributes: { shoe: 43 } }] }) { changed }
  }
`);
const deleteAttribute = graphql(`
  mutation DeleteAttributeForConsole($name: String!) {
    deleteUserAttribute(input: { name: $name }) { deletedId userErrors { code path } }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let apis: TestProcess[];
let root: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  apis = await Promise.all([startApi(at), startApi(at)]);
  root = await signIn(apis[0]!.url, 'root', ['user', 'admin']);
});
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.kill('SIGKILL')));
  await Promise.all([database?.drop(), redis?.stop()]);
});

const statusWith = async (api: TestProcess, key: string): Promise<number> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const body = JSON.stringify({ query: '{ mutedKeywords }' });
  return (await fetch(`${api.url}/graphql`, { method: 'POST', headers, body })).status;
};

it('an admin makes an API key that works, sees who uses it, and revokes it', async () => {
  const input = { userId: 'billing', roles: ['PRODUCER' as const], plan: 'pro', name: 'Invoices' };
  const { createApiKey } = await root.run(createKey, { input });
  const { key, apiKey } = createApiKey;
  expect(createApiKey.userErrors).toEqual([]);
  expect(apiKey).toMatchObject({ ...input, createdBy: 'root', revokedAt: null });
  expect(key).toContain(apiKey!.apiKeyId);
  expect(await statusWith(apis[0]!, key!)).toBe(200);
  const nodes = async () => (await root.run(listKeys, { userId: 'billing' })).apiKeys.nodes;
  await expect.poll(nodes).toEqual([{ apiKeyId: apiKey!.apiKeyId, lastUsedAt: expect.any(String) }]);
  expect((await root.run(listKeys, {})).apiKeys.nodes).toHaveLength(1);
  expect((await root.run(keyNode, { id: apiKey!.id })).node).toEqual({ apiKeyId: apiKey!.apiKeyId });

  const { revokeApiKey } = await root.run(revokeKey, { apiKeyId: apiKey!.id });
  expect(revokeApiKey).toEqual({
    apiKey: { revokedAt: expect.any(String), revokedBy: 'root' },
    userErrors: [],
  });
  // A process that has accepted it goes on for a minute; this one has not.
  expect(await statusWith(apis[1]!, key!)).toBe(401);
  expect((await root.run(revokeKey, { apiKeyId: 'nothing' })).revokeApiKey).toEqual({
    apiKey: null,
    userErrors: [{ code: 'NOT_FOUND', path: ['input', 'apiKeyId'] }],
  });
});

it('what no API key can be is refused, with each fault at its place', async () => {
  const { createApiKey } = await root.run(createKey, { input: { userId: 'a b', plan: '', name: '' } });
  expect(createApiKey).toEqual({
    key: null,
    apiKey: null,
    userErrors: [
      { code: 'ID_INVALID', path: ['input', 'userId'] },
      { code: 'PLAN_INVALID', path: ['input', 'plan'] },
      { code: 'NAME_INVALID', path: ['input', 'name'] },
    ],
  });
});

it('an admin sees what a person sees, and nobody else does', async () => {
  const [ann, ben] = await Promise.all(['ann', 'ben'].map((userId) => signIn(apis[0]!.url, userId)));
  for (const [client, name] of [
    [ann, 'Ann'],
    [ben, 'Ben'],
    [root, 'Root'],
  ] as const)
    await client!.run(profile, { name });
  await ann!.run(follow, { userId: 'ben' });
  const { publishPost } = await ben!.run(publish, { content: 'For followers alone' });
  const { postId } = publishPost.post!;
  const shownTo = async (client: Client, userId?: string) =>
    (await client.run(person, userId === undefined ? {} : { userId })).feed!;
  await expect.poll(async () => (await shownTo(root, 'ann')).edges.length).toBe(1);
  expect(await shownTo(root, 'ann')).toEqual({
    edges: [{ node: { postId, content: 'For followers alone' }, why: expect.any(Object) }],
    liveCursor: null,
    readMarker: null,
    newerThanReadMarker: 1,
  });
  expect((await shownTo(root)).edges).toEqual([]);

  await ann!.run(mute, { userId: 'root', keywords: ['spoiler'] });
  const seen = await root.run(person, { userId: 'ann' });
  const own = await ann!.run(person, {});
  expect(seen).toEqual({ ...own, feed: expect.anything() });
  expect(seen.feed!.edges.map(({ node }) => node)).toEqual(own.feed!.edges.map(({ node }) => node));
  expect([seen.mutedUsers!.nodes, seen.mutedKeywords]).toEqual([[{ userId: 'root' }], ['spoiler']]);

  const { errors } = await ben!.ask(person, { userId: 'ann' });
  expect(errors).toHaveLength(7);
  expect(new Set(errors!.map(({ extensions }) => extensions.code))).toEqual(new Set(['FORBIDDEN']));
});

it('what admins alone may do is refused to others', async () => {
  const shop = await signIn(apis[0]!.url, 'shop', ['user', 'producer']);
  for (const answer of [
    await shop.ask(createKey, { input: { userId: 'shop' } }),
    await shop.ask(revokeKey, { apiKeyId: 'a' }),
    await shop.ask(listKeys, {}),
    await shop.ask(forget, { name: 'orders' }),
    await shop.ask(deleteAttribute, { name: 'shoe' }),
    await shop.ask(attributesOf, { userId: 'ann' }),
  ])
    expect(answer.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
});

it('an admin sees and deletes attributes, and is refused what there is not', async () => {
  const shop = await signIn(apis[0]!.url, 'shop', ['user', 'producer']);
  await shop.run(setAttribute, {});
  const shoe = { name: 'shoe', type: 'NUMBER', isBuiltIn: false, deletedAt: null };
  expect((await shop.run(attributes, {})).userAttributes).toContainEqual({ ...shoe, createdBy: null });
  const seen = (await root.run(attributes, {})).userAttributes;
  expect(seen).toContainEqual({ ...shoe, createdBy: 'shop' });
  expect(seen![0]).toMatchObject({ name: 'userId', type: 'STRING', isBuiltIn: true });
  expect(await root.run(attributesOf, { userId: 'ann' })).toEqual({ attributesOfUser: { shoe: 43 } });
  expect(await root.run(attributesOf, { userId: 'nobody' })).toEqual({ attributesOfUser: {} });
  expect((await root.run(deleteAttribute, { name: 'shoe' })).deleteUserAttribute).toEqual({
    deletedId: toGlobalId('UserAttribute', 'shoe'),
    userErrors: [],
  });
  expect(await root.run(attributesOf, { userId: 'ann' }), 'without its value').toEqual({
    attributesOfUser: {},
  });
  expect((await root.run(deleteAttribute, { name: 'userId' })).deleteUserAttribute).toMatchObject({
    userErrors: [{ code: 'ATTRIBUTE_UNKNOWN', path: ['input', 'name'] }],
  });
  expect((await root.run(forget, { name: 'nothing' })).forgetProjector).toEqual({
    deletedId: null,
    userErrors: [{ code: 'PROJECTOR_NOT_FOUND', path: ['input', 'name'] }],
  });
});

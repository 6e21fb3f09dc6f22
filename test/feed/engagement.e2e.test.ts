import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
import { connectTo, forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

// biome-ignore lint/suspicious/noExplicitAny: what a query answers is what the test asked for
async function ask(userId: string, query: string, role: 'user' | 'admin' = 'user'): Promise<any> {
  const token = await signToken(testAuthSecret, {
    userId,
    roles: [role],
    plan: 'free',
    expiresInSeconds: 600,
  });
  const answer = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await answer.json()) as { data: object; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

it('what people do with a post is counted at once and for good, and its author finds it in the inbox', async () => {
  for (const type of ['POST_LIKED', 'POST_COMMENTED', 'NEW_FOLLOWER'])
    await ask(
      'root',
      `mutation { saveTemplate(input: { notificationType: "${type}", channel: IN_APP, body: "${type}" }) {
        userErrors { code } } }`,
      'admin',
    );
  const { publishPost } = await ask(
    'ann',
    'mutation { publishPost(input: { content: "hello" }) { post { postId } } }',
  );
  const { postId } = publishPost.post;
  const { likePost } = await ask(
    'ben',
    `mutation { likePost(input: { postId: "${postId}" }) { post { likeCount } userErrors { code } }
      addComment(input: { postId: "${postId}", content: "Nice" }) { userErrors { code } }
      followUser(input: { userId: "ann" }) { userErrors { code } } }`,
  );
  expect(likePost).toEqual({ post: { likeCount: 1 }, userErrors: [] });

  await vi.waitFor(
    async () => {
      const { inbox } = await ask('ann', '{ inbox { edges { node { notificationType } } } }');
      const types = inbox.edges.map(
        (edge: { node: { notificationType: string } }) => edge.node.notificationType,
      );
      expect(types.sort()).toEqual(['NEW_FOLLOWER', 'POST_COMMENTED', 'POST_LIKED']);
    },
    { timeout: 30_000, interval: 200 },
  );

  const counted = { likeCount: 1, commentCount: 1, viewerHasLiked: true };
  const read = async () =>
    (await ask('ben', `{ post(postId: "${postId}") { likeCount commentCount viewerHasLiked } }`)).post;
  expect(await read()).toEqual(counted);
  // The worker writes back every 30 s; Redis loses everything before and after.
  const flush = async () => {
    const client = await connectTo(redis);
    await forgetAll(client);
    client.disconnect();
  };
  await flush();
  expect(await read()).toEqual(counted);
  const client = new pg.Client(database.url);
  await client.connect();
  await vi.waitFor(
    async () => {
      const { rowCount } = await client.query('SELECT FROM post_count_deltas');
      expect(rowCount).toBe(0);
    },
    { timeout: 60_000, interval: 500 },
  );
  const { rows } = await client.query('SELECT like_count, comment_count FROM posts');
  await client.end();
  expect(rows).toEqual([{ like_count: 1, comment_count: 1 }]);
  await flush();
  expect(await read()).toEqual(counted);
}, 120_000);

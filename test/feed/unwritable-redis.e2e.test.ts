import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, type TestProcess } from '../support/processes.js';
import { configure, connectTo, startTestRedis, type TestRedis } from '../support/redis.js';

let database: TestDatabase;
let server: TestRedis;
let apis: TestProcess[] = [];
beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const options = { databaseUrl: database.url, redisUrl: server.url };
  apis = await Promise.all([startApi(options), startApi(options)]);
});
afterAll(async () => {
  await Promise.all(apis.map((api) => api.kill('SIGKILL')));
  await server?.stop();
  await database?.drop();
});

async function ask(api: TestProcess, authorization: string, query: string, variables = {}) {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as {
    data: Record<string, { postId: string; post?: { postId: string } } | null>;
  };
}

const isLeaseHeld = async (api: TestProcess): Promise<boolean> =>
  /^cache_lease_held\{[^}]*\} 1$/m.test(await (await fetch(`${api.url}/metrics`)).text());

it('a post that one api process deleted while Redis was full is gone in the other one, then and afterwards', async () => {
  const [one, other] = apis as [TestProcess, TestProcess];
  for (const api of apis) await expect.poll(() => isLeaseHeld(api), { timeout: 30_000 }).toBe(true);
  const { authorization } = await signIn(one.url, 'ann');
  const published = await ask(
    one,
    authorization,
    'mutation { publishPost(input: {content: "secret"}) { post { postId } } }',
  );
  const postId = published.data.publishPost!.post!.postId;
  const read = async () =>
    (await ask(other, authorization, 'query ($id: ID!) { post(postId: $id) { postId } }', { id: postId }))
      .data.post;
  expect(await read()).toEqual({ postId });
  const admin = await connectTo(server);
  await configure(admin, 'maxmemory', '1');
  const deleted = await ask(
    one,
    authorization,
    'mutation ($id: ID!) { deletePost(input: {postId: $id}) { deletedPostId userErrors { code } } }',
    { id: postId },
  );
  expect(deleted.data.deletePost).toEqual({ deletedPostId: postId, userErrors: [] });
  expect(await read()).toBeNull();
  await configure(admin, 'maxmemory', '0');
  admin.disconnect();
  await expect.poll(() => isLeaseHeld(other), { timeout: 30_000 }).toBe(true);
  expect(await read()).toBeNull();
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const publish = graphql(`
  mutation Publish($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code path } }
  }
`);
const follow = graphql(`
  mutation Follow($userId: ID!) {
    followUser(input: { userId: $userId }) { user { userId viewerFollows followerCount } userErrors { code path } }
  }
`);
const readFeed = graphql(`
  query ReadFeed($first: Int, $after: String) {
    feed(first: $first, after: $after, order: LATEST) {
      edges { node { postId content author { userId displayName viewerFollows } } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);
const feedUpdated = graphql(`
  subscription FeedUpdated($after: String) {
    feedUpdated(after: $after) { cursor postId authorId }
  }
`);
const me = graphql(`query Me { me { userId displayName id } }`);

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
let reader: Client;
let author: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  [reader, author] = await Promise.all([signIn(api.url, 'reader'), signIn(api.url, 'author')]);
  await author.run(me, {});
  await reader.run(follow, { userId: 'author' });
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function post(content: string): Promise<string> {
  const { publishPost } = await author.run(publish, { content });
  return publishPost.post!.postId;
}

/** Subscribes, and resolves once the server certainly listens: a first post was heard. */
async function listen() {
  const updates = reader.subscribe(feedUpdated, {});
  const first = updates.next();
  let heard: Awaited<typeof first> | undefined;
  void first.then((result) => {
    heard = result;
  });
  const isHeard = async () => {
    if (!heard) await post(`are you there? ${randomUUID()}`);
    return heard !== undefined;
  };
  await expect.poll(isHeard, { interval: 200, timeout: 30_000 }).toBe(true);
  return { updates, cursor: heard!.value!.feedUpdated.cursor };
}

async function hear(
  updates: AsyncGenerator<{ feedUpdated: { postId: string; cursor: string } }, void>,
  postId: string,
) {
  for (;;) {
    const { value } = await updates.next();
    if (value?.feedUpdated.postId === postId) return value.feedUpdated.cursor;
  }
}

describe('a post', () => {
  it('reaches a connected follower at once, and is in their feed', async () => {
    const { updates } = await listen();
    const postId = await post('hello, followers');
    await hear(updates, postId);
    await updates.return();
    const { feed } = await reader.run(readFeed, { first: 1 });
    expect(feed?.edges).toMatchObject([
      { node: { postId, content: 'hello, followers', author: { userId: 'author', viewerFollows: true } } },
    ]);
  });

  it('is not lost when the worker is killed: another worker finishes, and a resuming follower gets it', async () => {
    const { updates, cursor } = await listen();
    await updates.return();
    await worker.kill('SIGKILL');
    const postIds = [await post('one'), await post('two'), await post('three')];
    await worker.restart();
    const resumed = reader.subscribe(feedUpdated, { after: cursor });
    const heard = new Set<string>();
    while (!postIds.every((postId) => heard.has(postId))) {
      const { feedUpdated: update } = (await resumed.next()).value!;
      expect(heard).not.toContain(update.postId);
      heard.add(update.postId);
    }
    await resumed.return();
    const { feed } = await reader.run(readFeed, { first: 3 });
    expect(feed?.edges.map((edge) => edge.node.postId)).toEqual(postIds.toReversed());
  });
});

describe('bad input', () => {
  it('refuses a wrong token with 401, and says nothing else', async () => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer wrong' },
      body: JSON.stringify({ query: '{ me { userId } }' }),
    });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it('names an unknown user and an empty content, with their paths', async () => {
    expect(await reader.run(follow, { userId: 'nobody' })).toEqual({
      followUser: { user: null, userErrors: [{ code: 'NOT_FOUND', path: ['input', 'userId'] }] },
    });
    expect(await author.run(publish, { content: ' ' })).toEqual({
      publishPost: { post: null, userErrors: [{ code: 'CONTENT_EMPTY', path: ['input', 'content'] }] },
    });
  });

  it.each([0, -1, 101])('refuses a page of %i', async (first) => {
    expect(await reader.ask(readFeed, { first })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_USER_INPUT' } }],
    });
  });

  it('refuses a forged cursor', async () => {
    expect(await reader.ask(readFeed, { after: 'forged' })).toMatchObject({
      errors: [{ extensions: { code: 'BAD_CURSOR' } }],
    });
  });
});

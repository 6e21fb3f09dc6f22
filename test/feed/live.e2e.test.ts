import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const publish = graphql(`
  mutation PublishLive($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const follow = graphql(`
  mutation FollowLive($userId: ID!) {
    followUser(input: { userId: $userId }) { user { userId } userErrors { code } }
  }
`);
const feedUpdated = graphql(`
  subscription FeedUpdatedLive($after: String) {
    feedUpdated(after: $after) { cursor postId authorId newerThanReadMarker }
  }
`);
const me = graphql(`query MeLive { me { userId } }`);

let database: TestDatabase;
let redis: TestRedis;
let apis: TestProcess[];
let worker: TestProcess;
let author: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [worker, ...apis] = await Promise.all([startWorker(at), startApi(at), startApi(at)]);
  author = await signIn(apis[0]!.url, 'author');
  await author.run(me, {});
  await (await signIn(apis[0]!.url, 'reader')).run(follow, { userId: 'author' });
});
afterAll(async () => {
  await Promise.all([worker, ...(apis ?? [])].map((process) => process?.kill('SIGKILL')));
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function post(content: string): Promise<string> {
  const { publishPost } = await author.run(publish, { content });
  return publishPost.post!.postId;
}

it('a reader whose process dies is told by another one of every post, once each, in order', async () => {
  const readers = await Promise.all(apis.map((api) => signIn(api.url, 'reader')));
  const told: string[] = [];
  const first = readers[1]!.subscribe(feedUpdated, {});
  const heard = first.next();
  let isHeard = false;
  void heard.then(() => {
    isHeard = true;
  });
  // Until the server listens there is nothing to hear.
  const isThere = async (): Promise<boolean> => {
    if (!isHeard) await post('are you there?');
    return isHeard;
  };
  await expect.poll(isThere, { interval: 300, timeout: 20_000 }).toBe(true);
  const { cursor, newerThanReadMarker: before } = (await heard).value!.feedUpdated;
  expect(before).toBeGreaterThanOrEqual(1);

  await first.return();
  await apis[1]!.kill('SIGKILL');
  const missed = [await post('one'), await post('two')];
  const resumed = readers[0]!.subscribe(feedUpdated, { after: cursor });
  const live = await post('three');
  while (told.at(-1) !== live) told.push((await resumed.next()).value!.feedUpdated.postId);
  await resumed.return();
  expect(new Set(told).size).toBe(told.length);
  expect(told.slice(-3)).toEqual([...missed, live]);
}, 60_000);

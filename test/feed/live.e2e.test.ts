import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { configure, connectTo, startTestRedis, type TestRedis } from '../support/redis.js';

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
    feedUpdated(after: $after) { cursor postId authorId newerThanReadMarker post { postId content author { userId } } }
  }
`);
const deletePost = graphql(`
  mutation DeleteLive($postId: ID!) { deletePost(input: { postId: $postId }) { deletedId userErrors { code } } }
`);
const me = graphql(`query MeLive { me { userId } }`);

let database: TestDatabase;
let redis: TestRedis;
let apis: TestProcess[];
let worker: TestProcess;
let author: Client;
let postgres: Postgres;
/** docs/operations.md promises 5 s; the rest is for a crowded machine. */
const MADE_UP_WITHIN_MS = 15_000;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [worker, ...apis] = await Promise.all([startWorker(at), startApi(at), startApi(at)]);
  author = await signIn(apis[0]!.url, 'author');
  await author.run(me, {});
  await (await signIn(apis[0]!.url, 'reader')).run(follow, { userId: 'author' });
});
afterAll(async () => {
  await Promise.all([worker, ...(apis ?? [])].map((process) => process?.kill('SIGKILL')));
  await postgres?.close();
  await Promise.all([database?.drop(), redis?.stop()]);
});

type Updates = ReturnType<typeof listenTo>;
const listenTo = (client: Client) => client.subscribe(feedUpdated, {});

async function post(content: string): Promise<string> {
  const { publishPost } = await author.run(publish, { content });
  return publishPost.post!.postId;
}

/** Until the server listens there is nothing to hear. */
async function firstHeard(updates: Updates) {
  const heard = updates.next();
  let isHeard = false;
  heard.then(
    () => {
      isHeard = true;
    },
    () => undefined,
  );
  const isThere = async (): Promise<boolean> => {
    if (!isHeard) await post(`are you there? ${randomUUID()}`);
    return isHeard;
  };
  await expect.poll(isThere, { interval: 300, timeout: 20_000 }).toBe(true);
  return (await heard).value!.feedUpdated;
}

it('a reader whose process dies gets every post from another one, once each, in order', async () => {
  const readers = await Promise.all(apis.map((api) => signIn(api.url, 'reader')));
  const told: string[] = [];
  const first = readers[1]!.subscribe(feedUpdated, {});
  const { cursor, newerThanReadMarker: before } = await firstHeard(first);
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
});

it('has the post itself in each update, and none where it was deleted since', async () => {
  const reader = await signIn(apis[0]!.url, 'reader');
  const anchor = await firstUpdate(reader);
  const [gone, kept] = [await post('gone'), await post('kept')];
  const { deletedId } = (await author.run(deletePost, { postId: gone })).deletePost;
  expect(deletedId).toBe(Buffer.from(`Post:${gone}`).toString('base64url'));
  const updates = reader.subscribe(feedUpdated, { after: anchor });
  const seen = new Map<string, unknown>();
  while (!seen.has(kept)) {
    const { postId, post } = (await updates.next()).value!.feedUpdated;
    seen.set(postId, post);
  }
  await updates.return();
  expect(seen.get(kept)).toEqual({ postId: kept, content: 'kept', author: { userId: 'author' } });
  expect(seen.get(gone) ?? null).toBeNull();
});

/** Posts until the reader hears of one, and answers its cursor. */
async function firstUpdate(reader: Client): Promise<string> {
  const updates = reader.subscribe(feedUpdated, {});
  let cursor: string | undefined;
  void updates.next().then(({ value }) => {
    cursor = value!.feedUpdated.cursor;
  });
  const isThere = async (): Promise<boolean> => {
    if (cursor === undefined) await post(`hello ${randomUUID()}`);
    return cursor !== undefined;
  };
  await expect.poll(isThere, { interval: 300, timeout: 20_000 }).toBe(true);
  await updates.return();
  return cursor!;
}

describe('a post that is published', () => {
  const untilFannedOut = (postId: string) =>
    expect
      .poll(
        async () =>
          (
            await postgres.query('SELECT FROM fanouts WHERE completed_at IS NOT NULL AND post_id = $1', [
              postId,
            ])
          ).rows.length,
        { timeout: MADE_UP_WITHIN_MS, interval: 50 },
      )
      .toBe(1);

  it('while no worker runs comes to feeds as soon as there is one, before it could be taken for abandoned', async () => {
    await worker.kill('SIGKILL');
    const postId = await post('to nobody');
    const written = worker.output().length;
    await worker.restart();
    await untilFannedOut(postId);
    expect(worker.output().slice(written)).not.toContain('job failed');
  });

  it.each([
    ['full', 'maxmemory'],
    ['short of replicas', 'min-replicas-to-write'],
  ] as const)(
    'while Redis is %s comes to subscribers and feeds within 5 s of the end of that',
    async (_, setting) => {
      const updates = listenTo(await signIn(apis[0]!.url, 'reader'));
      await firstHeard(updates);
      const admin = await connectTo(redis);
      try {
        // A node of a Cluster has one replica.
        await configure(admin, setting, '2');
        const postId = await post('into a fault');
        let isHeard = false;
        void (async () => {
          while (!isHeard) {
            const { value } = await updates.next();
            if (!value) return;
            isHeard = value.feedUpdated.postId === postId;
          }
        })().catch(() => undefined);
        const noted = async () =>
          (await postgres.query('SELECT FROM fanouts WHERE post_id = $1', [postId])).rows.length;
        await expect.poll(noted, { timeout: 20_000 }).toBe(1);
        await configure(admin, setting, '0');
        await expect.poll(() => isHeard, { timeout: MADE_UP_WITHIN_MS, interval: 50 }).toBe(true);
        await untilFannedOut(postId);
      } finally {
        await configure(admin, setting, '0');
        admin.disconnect();
        await updates.return();
      }
    },
    60_000,
  );
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openApolloFeed } from '../../examples/apollo/feed.js';
import { type FeedApp, PAGE_SIZE } from '../../examples/feed-app.js';
import { openRelayFeed } from '../../examples/relay/feed.js';
import { openUrqlFeed } from '../../examples/urql/feed.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const publish = graphql(`
  mutation PublishForExamples($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const follow = graphql(`
  mutation FollowForExamples($userId: ID!) {
    followUser(input: { userId: $userId }) { user { userId } userErrors { code } }
  }
`);
const readPost = graphql(`
  query PostForExamples($postId: ID!) { post(postId: $postId) { likeCount } }
`);
const feedSize = graphql(`
  query FeedForExamples { feed(first: 50, order: LATEST) { nodes { id } } }
`);
const me = graphql(`query MeForExamples { me { userId } }`);

/** Three pages and part of a fourth. */
const EARLIER = 3 * PAGE_SIZE + 5;
/** The first page and two more. */
const SCROLLED = 3 * PAGE_SIZE;
/** The reader's own, in the middle. */
const OWN = 'What the reader wrote';

let database: TestDatabase;
let redis: TestRedis;
let postgres: Postgres;
let api: TestProcess;
let worker: TestProcess;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
});
afterAll(async () => {
  await Promise.all([api, worker].map((process) => process?.kill('SIGKILL')));
  await postgres?.close();
  await Promise.all([database?.drop(), redis?.stop()]);
});

describe.each([
  ['Apollo Client', openApolloFeed, 'apollo'],
  ['urql', openUrqlFeed, 'urql'],
  ['Relay', openRelayFeed, 'relay'],
] as const)('the example for %s', (_, openFeed, name) => {
  let author: Client;
  let reader: Client;
  let app: FeedApp;
  /** Everything in the reader's feed, newest first. */
  const published: string[] = [];
  const shown = (): string[] => app.posts().map(({ content }) => content);
  const shownPost = (content: string) => app.posts().find((post) => post.content === content);

  async function post(by: Client, content: string): Promise<string> {
    const { publishPost } = await by.run(publish, { content });
    published.unshift(content);
    return publishPost.post!.postId;
  }

  async function scrollToEnd(): Promise<void> {
    for (let page = 0; app.hasMore() && page < 10; page += 1) await app.loadMore();
  }

  beforeAll(async () => {
    [author, reader] = await Promise.all([
      signIn(api.url, `author-${name}`),
      signIn(api.url, `reader-${name}`),
    ]);
    await Promise.all([author.run(me, {}), reader.run(me, {})]);
    await reader.run(follow, { userId: `author-${name}` });
    for (let n = 1; n <= EARLIER; n += 1) {
      await post(author, `earlier ${n} for ${name}`);
      if (n === PAGE_SIZE) await post(reader, OWN);
    }
    const hasAll = async () =>
      expect((await reader.run(feedSize, {})).feed?.nodes).toHaveLength(published.length);
    await vi.waitFor(hasAll, { timeout: 15_000, interval: 100 });
    // An update of an earlier post, which is still on its way to subscribers, would stand at the top.
    const pending = () => postgres.query('SELECT FROM fanouts WHERE completed_at IS NULL');
    await vi.waitFor(async () => expect((await pending()).rows).toEqual([]), {
      timeout: 30_000,
      interval: 100,
    });
    app = await openFeed({ url: api.url, token: reader.authorization.replace('Bearer ', '') });
  });
  afterAll(() => app?.close());

  it('shows the first page at once', () => {
    expect(shown()).toEqual(published.slice(0, PAGE_SIZE));
  });

  it('shows two more pages as soon as they are asked for', async () => {
    await Promise.all([app.loadMore(), app.loadMore()]);
    await expect.poll(shown).toEqual(published.slice(0, SCROLLED));
  });

  it('misses nothing when its connection is cut before the first update, with several pages shown', async () => {
    app.cut();
    const missed = PAGE_SIZE + 2;
    for (let n = 1; n <= missed; n += 1) await post(author, `before the first update ${n}, ${name}`);
    await expect.poll(shown).toEqual(published.slice(0, SCROLLED + missed));
  });

  it('scrolls to the end without a seam, while new posts arrive at the top', async () => {
    await app.loadMore();
    await post(author, `while scrolling, ${name}`);
    await expect.poll(() => shown()[0]).toBe(published[0]);
    await scrollToEnd();
    expect(app.hasMore()).toBe(false);
    expect(shown()).toEqual(published);
  });

  it('shows a like wherever the post is shown, out of what the mutation answers', async () => {
    const [content] = published.slice(-3);
    const { postId } = shownPost(content!)!;
    expect(shownPost(content!)).toMatchObject({ likeCount: 0, viewerHasLiked: false });
    await app.like(postId);
    await expect.poll(() => shownPost(content!)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
    expect((await author.run(readPost, { postId })).post?.likeCount).toBe(1);
    expect(shown()).toEqual(published);
  });

  it('drops a deleted post from its cache, and keeps one whose deletion was refused', async () => {
    await app.remove(shownPost(OWN)!.postId);
    published.splice(published.indexOf(OWN), 1);
    await expect.poll(shown).toEqual(published);
    await app.remove(shownPost(published[3]!)!.postId);
    expect(shown()).toEqual(published);
  });

  it('goes on after its connection was cut, and shows each post that was published meanwhile once', async () => {
    app.cut();
    for (const n of [1, 2, 3]) await post(author, `meanwhile ${n}, ${name}`);
    await expect.poll(() => shown().slice(0, 3)).toEqual(published.slice(0, 3));
    await post(author, `afterwards, ${name}`);
    await expect.poll(shown).toEqual(published);
  });

  it('goes on after the server was killed', async () => {
    await api.kill('SIGKILL');
    await api.restart();
    await post(author, `after the restart, ${name}`);
    await expect.poll(shown, { timeout: 60_000 }).toEqual(published);
  }, 150_000);
});

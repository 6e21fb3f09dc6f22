import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openApolloFeed, codesOf as rejectedByApollo } from '../../examples/apollo/feed.js';
import { type FeedApp, PAGE_SIZE, type ShownPost } from '../../examples/feed-app.js';
import { openRelayFeed, codesOf as rejectedByRelay } from '../../examples/relay/feed.js';
import { openUrqlFeed, codesOf as rejectedByUrql } from '../../examples/urql/feed.js';
import { signToken } from '../../src/platform/auth/auth.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type BreakableNetwork, startBreakableNetwork } from '../support/breakable-network.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess, testAuthSecret } from '../support/processes.js';
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
const like = graphql(`
  mutation LikeForExamples($postId: ID!) {
    likePost(input: { postId: $postId }) { userErrors { code } }
  }
`);
const remove = graphql(`
  mutation DeleteForExamples($postId: ID!) {
    deletePost(input: { postId: $postId }) { deletedId userErrors { code } }
  }
`);
const feedSize = graphql(`
  query FeedForExamples { feed(first: 50, order: LATEST) { nodes { id content } } }
`);
const me = graphql(`query MeForExamples { me { userId } }`);

/** Three pages and part of a fourth. */
const EARLIER = 3 * PAGE_SIZE + 5;
/** The first page and two more. */
const SCROLLED = 3 * PAGE_SIZE;
/** The reader's own, in the middle. */
const OWN = 'What the reader wrote';

/** As many missed posts the API sends one by one. */
const MOST_SENT = 500;

/** As each example's generator wrote them. */
const manifests = ['apollo/generated', 'urql/generated', 'relay'].map((folder) =>
  fileURLToPath(new URL(`../../examples/${folder}/persisted-documents.json`, import.meta.url)),
);

let database: TestDatabase;
let redis: TestRedis;
let postgres: Postgres;
/** Takes persisted documents and no others: the examples talk to it, and tests kill it. */
let strict: TestProcess;
/** Takes any: those who write meanwhile talk to it. */
let open: TestProcess;
let worker: TestProcess;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  const persisted = { PERSISTED_DOCUMENTS: manifests.join(','), PERSISTED_DOCUMENTS_ONLY: 'true' };
  [strict, open, worker] = await Promise.all([
    startApi({ ...at, env: persisted }),
    startApi(at),
    startWorker(at),
  ]);
});
afterAll(async () => {
  await Promise.all([strict, open, worker].map((process) => process?.kill('SIGKILL')));
  await postgres?.close();
  await Promise.all([database?.drop(), redis?.stop()]);
});

describe.each([
  ['Apollo Client', openApolloFeed, rejectedByApollo, 'apollo'],
  ['urql', openUrqlFeed, rejectedByUrql, 'urql'],
  ['Relay', openRelayFeed, rejectedByRelay, 'relay'],
] as const)('the example for %s', (_, openFeed, codesOf, name) => {
  let author: Client;
  let reader: Client;
  let network: BreakableNetwork;
  let app: FeedApp;
  /** Everything in the reader's feed, newest first. */
  const published: string[] = [];
  const shown = (): string[] => app.posts().map(({ content }) => content);
  const shownPost = (content: string): ShownPost => app.posts().find((post) => post.content === content)!;
  const tokenFor = (expiresInSeconds: number) =>
    signToken(testAuthSecret, { userId: `reader-${name}`, roles: ['user'], plan: 'free', expiresInSeconds });

  async function post(by: Client, content: string): Promise<void> {
    await by.run(publish, { content });
    published.unshift(content);
  }

  async function scrollToEnd(): Promise<void> {
    for (let page = 0; app.hasMore() && page < 10; page += 1) await app.loadMore();
  }

  beforeAll(async () => {
    [author, reader] = await Promise.all([
      signIn(open.url, `author-${name}`),
      signIn(open.url, `reader-${name}`),
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
    // An update of an earlier post, which is still on its way to subscribers, would stand at the top. Only what the projector has noted
    // can be seen to be on its way.
    const arrived = async () => {
      const { rows } = await postgres.query(
        `SELECT projector_position('feed-fan-out') >= (SELECT max(global_position) FROM events) AS "isNoted",
                EXISTS (SELECT FROM fanouts WHERE completed_at IS NULL) AS "isPending"`,
      );
      expect(rows).toEqual([{ isNoted: true, isPending: false }]);
    };
    await vi.waitFor(arrived, { timeout: 30_000, interval: 100 });
    network = await startBreakableNetwork(strict.url);
    const token = await tokenFor(86_400);
    app = await openFeed({ url: network.url, token: () => token, byId: true });
  });
  afterAll(async () => {
    await app?.close();
    network?.close();
  });

  it('shows the first page at once', () => {
    expect(shown()).toEqual(published.slice(0, PAGE_SIZE));
  });

  it('shows two more pages as soon as they are asked for', async () => {
    await Promise.all([app.loadMore(), app.loadMore()]);
    await expect.poll(shown).toEqual(published.slice(0, SCROLLED));
  });

  it('misses nothing when its connection is cut before the first update, with several pages shown', async () => {
    network.cut();
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

  it('shows a like before it is answered, and keeps what the answer says', async () => {
    const content = published.at(-3)!;
    const { id } = shownPost(content);
    expect(shownPost(content)).toMatchObject({ likeCount: 0, viewerHasLiked: false });
    network.hold();
    const answered = vi.fn();
    const liking = app.like(shownPost(content)).then(answered);
    await expect.poll(() => shownPost(content)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
    await author.run(like, { postId: id });
    expect(answered).not.toHaveBeenCalled();
    network.release();
    await liking;
    expect(answered).toHaveBeenCalledWith(null);
    expect(shownPost(content)).toMatchObject({ viewerHasLiked: true });
    expect((await author.run(readPost, { postId: id })).post?.likeCount).toBe(2);
    expect(shown()).toEqual(published);
  });

  it('takes a like back that is refused, or whose answer never comes', async () => {
    const [kept, gone] = [published.at(-4)!, published.at(-5)!];
    await author.run(remove, { postId: shownPost(gone).id });
    network.hold();
    const refused = app.like(shownPost(gone));
    await expect.poll(() => shownPost(gone)).toMatchObject({ likeCount: 1, viewerHasLiked: true });
    network.release();
    expect(await refused).toBe('There is no such post');
    expect(shownPost(gone)).toMatchObject({ likeCount: 0, viewerHasLiked: false });

    network.down();
    await expect(app.like(shownPost(kept))).rejects.toThrow();
    expect(shownPost(kept)).toMatchObject({ likeCount: 0, viewerHasLiked: false });
    network.up();
    expect(shown()).toEqual(published);
  });

  it('drops a deleted post from its cache, and keeps one whose deletion was refused', async () => {
    await app.remove(shownPost(OWN));
    published.splice(published.indexOf(OWN), 1);
    await expect.poll(shown).toEqual(published);
    await app.remove(shownPost(published[3]!));
    expect(shown()).toEqual(published);
  });

  it('shows each post once, however often its connection breaks while posts are published', async () => {
    for (let n = 1; n <= 40; n += 1) {
      if (n % 4 === 0) network.cut();
      if (n === 14) network.down();
      if (n === 26) network.up();
      await post(author, `between cuts ${n}, ${name}`);
      // Sometimes it is connected in between, and sometimes not.
      if (n % 10 === 0 && n !== 20) await expect.poll(() => shown()[0]).toBe(published[0]);
    }
    await expect.poll(shown).toEqual(published);
  });

  it('shows each post once when its server is killed while posts are published', async () => {
    await expect.poll(() => sentByText(strict.url)).toBe(0);
    const [ended] = await Promise.all([strict.kill('SIGKILL'), publishFrom(1, 20)]);
    expect(ended).toBe('SIGKILL');
    await Promise.all([strict.restart(), publishFrom(21, 40)]);
    await publishFrom(41, 45);
    await expect.poll(shown, { timeout: 60_000 }).toEqual(published);

    async function publishFrom(first: number, last: number): Promise<void> {
      for (let n = first; n <= last; n += 1) await post(author, `around a kill ${n}, ${name}`);
    }
  }, 150_000);

  it('needs no ids of documents, and goes on with a fresh token when the former one expires', async () => {
    const [short, fresh] = await Promise.all([tokenFor(3), tokenFor(86_400)]);
    const expiresAt = Date.now() + 2_500;
    const token = vi.fn(() => (Date.now() < expiresAt ? short : fresh));
    const plain = await openFeed({ url: open.url, token });
    expect(plain.posts().map(({ content }) => content)).toEqual(published.slice(0, PAGE_SIZE));
    await post(author, `before the token expires, ${name}`);
    await expect.poll(() => plain.posts()[0]?.content).toBe(published[0]);
    await expect.poll(() => token.mock.results.at(-1)?.value).toBe(fresh);
    await post(author, `after the token expired, ${name}`);
    await expect.poll(() => plain.posts()[0]?.content).toBe(published[0]);
    await plain.close();
  });

  it('rejects with the codes of the API', async () => {
    const error = await openFeed({ url: open.url, token: () => 'made up' }).catch(
      (reason: unknown) => reason,
    );
    expect(codesOf(error)).toEqual(['UNAUTHENTICATED']);
    const nowhere = await openFeed({ url: 'http://127.0.0.1:9', token: () => 'x' }).catch(
      (reason: unknown) => reason,
    );
    expect(nowhere).toBeInstanceOf(Error);
    expect(codesOf(nowhere)).toEqual([]);
  });

  it('reads the feed anew when it was away too long to be sent each post, and follows it again', async () => {
    network.down();
    const missed = Array.from({ length: MOST_SENT + 1 }, (_, n) => `while it was away ${n}, ${name}`);
    while (missed.length > 0)
      await Promise.all(missed.splice(0, 20).map((content) => author.run(publish, { content })));
    const newest = async () =>
      (await reader.run(feedSize, {})).feed?.nodes.map(({ content }) => content) ?? [];
    await post(author, `the last one while it was away, ${name}`);
    await expect.poll(async () => (await newest())[0], { timeout: 60_000 }).toBe(published[0]);
    network.up();
    await expect
      .poll(() => shown().slice(0, PAGE_SIZE), { timeout: 60_000 })
      .toEqual((await newest()).slice(0, PAGE_SIZE));

    await app.loadMore();
    await expect
      .poll(() => shown().slice(0, 2 * PAGE_SIZE))
      .toEqual((await newest()).slice(0, 2 * PAGE_SIZE));
    await post(author, `after it was away, ${name}`);
    await expect.poll(() => shown()[0]).toBe(published[0]);
    expect(shown().slice(0, 2 * PAGE_SIZE)).toEqual((await newest()).slice(0, 2 * PAGE_SIZE));
  });
});

/** How many documents a process refused since it takes only persisted ones. */
async function sentByText(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^graphql_documents_refused_total\{reason="not_persisted"[^}]*\} (\d+)$/m.exec(text)?.[1]);
}

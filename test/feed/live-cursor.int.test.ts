import { type GraphQLSchema, graphql } from 'graphql';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FeedOrder, FeedPage, FeedUpdate } from '../../src/domains/feed/index.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

let world: FeedWorld;
let hub: WakeUpHub;
let schema: GraphQLSchema;
beforeAll(async () => {
  [world, schema] = await Promise.all([openFeedWorld(), buildApiSchema()]);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    pino({ level: 'silent' }),
  );
  await hub.ready;
  for (const userId of ['reader', 'ann', 'ben']) await world.feed.signIn(userId);
  for (const author of ['ann', 'ben']) await world.feed.followUser(callerOf('reader'), author);
});
beforeEach(async () => {
  await world.fanOut(await publish('ann'));
  const isWarm = async () => {
    await readPage('LATEST');
    return world.feed.cache.read('reader', Number.MAX_SAFE_INTEGER, 1);
  };
  await expect.poll(isWarm).not.toBeNull();
});
afterAll(async () => {
  await hub?.close();
  await world?.close();
});

async function publish(author: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf(author), { content: 'news', visibility: 'public' });
  if (!result.ok) throw new Error('refused');
  return result.value.postId;
}

const readPage = (order: FeedOrder): Promise<FeedPage> =>
  world.feed.readFeed(viewerOf('reader'), {
    order,
    page: { limit: 5, direction: 'forward', cursor: null },
    withLiveCursor: true,
  });
const shownOn = (page: FeedPage): string[] => page.edges.map(({ node }) => node.postId);

/** What the page's reader hears until a post that is published last. */
async function heardAfter(page: FeedPage): Promise<string[]> {
  const updates = world.feed.feedUpdates(hub, viewerOf('reader'), await page.liveCursor!);
  const last = await publish('ann');
  await world.fanOut(last);
  const heard: string[] = [];
  while (heard.at(-1) !== last) heard.push(((await updates.next()).value as FeedUpdate).postId);
  await updates.return!();
  return heard.slice(0, -1);
}

describe.each(['RANKED', 'LATEST'] as const)('the live cursor of a page of %s', (order) => {
  it('leads to each post that was published between the page and the subscription, once', async () => {
    const page = await readPage(order);
    const meanwhile = [await publish('ann'), await publish('ben'), await publish('ann')];
    await world.fanOut(...meanwhile);
    expect(await heardAfter(page)).toEqual(meanwhile);
  });

  it('leads to a post that was published while the page was being read, and does not show it', async () => {
    const { cache } = world.feed;
    const read = cache.read;
    let meanwhile = '';
    const spy = vi.spyOn(cache, 'read').mockImplementationOnce(async (...args) => {
      const places = await read(...args);
      meanwhile = await publish('ben');
      await world.fanOut(meanwhile);
      return places;
    });
    const page = await readPage(order);
    spy.mockRestore();
    expect(shownOn(page)).not.toContain(meanwhile);
    expect(await heardAfter(page)).toEqual([meanwhile]);
  });

  it('leads to no post of the page, where their fan-outs are finished', async () => {
    const before = await publish('ann');
    await world.fanOut(before);
    const page = await readPage(order);
    expect(shownOn(page)).toContain(before);
    expect(await heardAfter(page)).toEqual([]);
  });

  it('leads to a post whose fan-out had not come to the reader when the page was read', async () => {
    const [slow, quick] = [await publish('ann'), await publish('ben')];
    await world.note(slow);
    await world.fanOut(quick);
    const page = await readPage(order);
    expect(shownOn(page)).not.toContain(slow);
    await world.fanOut(slow);
    expect(await heardAfter(page)).toContain(slow);
  });
});

describe('over GraphQL', () => {
  const POSTGRES_IS_AWAY = new Error('away');

  /** The answer, and how many statements it took. */
  async function ask(source: string, variableValues: Record<string, unknown> = {}, isAway = false) {
    const app = { feed: world.feed } as Parameters<typeof createLoaders>[0];
    const { viewer } = callerOf('reader');
    const contextValue = { app, viewer, loaders: createLoaders(app, viewer), correlationId: 'test' };
    const query = vi.spyOn(world.postgres, 'query');
    if (isAway) query.mockRejectedValue(POSTGRES_IS_AWAY);
    try {
      const { data, errors } = await graphql({ schema, source, variableValues, contextValue });
      return { data: JSON.parse(JSON.stringify(data)), errors, statements: query.mock.calls.length };
    } finally {
      query.mockRestore();
    }
  }

  it('takes a statement only where it is asked for', async () => {
    const fields = 'pageInfo { endCursor }';
    const asking = [
      `{ feed { liveCursor ${fields} } }`,
      `{ feed { from: liveCursor ${fields} } }`,
      `{ feed { ...Page ${fields} } } fragment Page on FeedConnection { ... { liveCursor } }`,
    ];
    for (const source of asking) expect(await ask(source), source).toMatchObject({ statements: 1 });
    expect(await ask(`{ feed { ${fields} } }`)).toMatchObject({ statements: 0 });
    const maybe = `query ($live: Boolean!) { feed { liveCursor @include(if: $live) ${fields} } }`;
    expect(await ask(maybe, { live: true })).toMatchObject({ statements: 1 });
    const without = await ask(maybe, { live: false });
    expect(without.statements).toBe(0);
    expect(without.data.feed).not.toHaveProperty('liveCursor');
  });

  it('is null while Postgres is away, and the page is there', async () => {
    const { data, errors } = await ask('{ feed { liveCursor nodes { postId } } }', {}, true);
    expect(data.feed.liveCursor).toBeNull();
    expect(data.feed.nodes.length).toBeGreaterThan(0);
    expect(errors).toMatchObject([{ path: ['feed', 'liveCursor'], originalError: POSTGRES_IS_AWAY }]);
  });
});

import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SingleRedis } from '../../src/platform/redis/redis.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { type ReadWorld, reading } from './read-world.js';

let world: FeedWorld;
let read: ReadWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
});
afterAll(() => world?.close());

async function publish(author: string, content: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf(author), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  await world.fanOut(result.value.postId);
  return result.value.postId;
}

const orders = ['LATEST', 'RANKED'] as const;

describe('a feed', () => {
  it('shows one of several posts that say nearly the same, whatever the page size', async () => {
    await read.signIn('ann', 'ben', 'cat');
    await read.follow('ann', 'ben', 'cat');
    const text =
      'The harbour council voted last night to reopen the northern ferry line, after two years of repairs to the pier and to the boats.';
    const older = await publish('ben', text);
    const other = await publish(
      'cat',
      'Nothing of the kind: the cat sat on the mat and looked at the rain all day long.',
    );
    const newer = await publish('cat', `${text}!`);
    const expectSeen = async (postId: string) => {
      for (const limit of [1, 2, 20])
        for (const order of orders)
          expect((await read.readAll('ann', order, limit)).toSorted(), `${order} ${limit}`).toEqual(
            [other, postId].toSorted(),
          );
    };
    await expectSeen(older);
    // What its author does with a copy does not hide the original.
    for (const content of ['Look!', 'Look again!', 'And again!', 'And once more!'])
      await world.feed.engagement.addComment(callerOf('cat'), { postId: newer, content });
    await world.feed.engagement.reactToPost(callerOf('cat'), newer, 'LIKE');
    await expectSeen(older);
    // What clearly more people reacted to is shown in its place.
    for (const userId of ['ann', 'ben'])
      await world.feed.engagement.reactToPost(callerOf(userId), newer, 'LIKE');
    await expectSeen(newer);
    await world.feed.deletePost(callerOf('cat'), newer);
    expect(await read.readAll('ann', 'LATEST', 20)).toEqual([other, older]);
  });

  it('compares words where they are all that a post shows, and never with one’s own', async () => {
    await read.signIn('pia', 'quo', 'rob');
    await read.follow('pia', 'quo', 'rob');
    const text = 'Everybody should read this one right now, and then once more';
    const own = [await publish('pia', text), await publish('pia', text)];
    const shared = [await publish('quo', 'one thing'), await publish('rob', 'another thing')];
    const quotes = [];
    for (const [sharer, postId] of [
      ['quo', shared[1]!],
      ['rob', shared[0]!],
    ] as const) {
      const quote = await world.feed.sharePost(callerOf(sharer), { postId, content: text });
      if (!quote.ok) throw new Error(JSON.stringify(quote.errors));
      quotes.push(quote.value.postId);
    }
    await world.fanOut(...quotes);
    const newest = await publish('rob', text);
    const everything = [...own, ...shared, ...quotes, newest].toSorted();
    for (const order of orders) expect((await read.readAll('pia', order, 3)).toSorted()).toEqual(everything);
  });

  it('hides what policy labels and what holds a muted word, but never from its author', async () => {
    await read.signIn('dan', 'eve');
    await read.follow('dan', 'eve');
    const labelled = await publish('eve', 'This picture is nsfw, beware');
    const about = await publish('eve', 'All about football today');
    const plain = await publish('eve', 'All about footballers today');
    for (const order of orders) {
      expect((await read.readAll('dan', order, 20)).toSorted()).toEqual([about, plain].toSorted());
    }
    await world.feed.setMutedKeywords(callerOf('dan'), ['FOOTBALL']);
    for (const order of orders) expect(await read.readAll('dan', order, 20)).toEqual([plain]);
    await world.feed.setMutedKeywords(callerOf('eve'), ['football']);
    expect((await read.readAll('eve', 'LATEST', 20)).toSorted()).toEqual([labelled, about, plain].toSorted());
  });

  it('keeps reshares of a blocked author out, both ways, and brings them back', async () => {
    await read.signIn('fay', 'gus', 'hal');
    await read.follow('fay', 'gus');
    const original = await publish('hal', 'the original');
    const shared = await world.feed.sharePost(callerOf('gus'), { postId: original });
    if (!shared.ok) throw new Error(JSON.stringify(shared.errors));
    const { postId } = shared.value;
    await world.fanOut(postId);
    for (const [who, whom] of [
      ['fay', 'hal'],
      ['hal', 'fay'],
    ] as const) {
      expect(await read.readAll('fay', 'LATEST', 20)).toEqual([postId]);
      await world.feed.blockUser(callerOf(who), whom);
      for (const order of orders) expect(await read.readAll('fay', order, 20)).toEqual([]);
      await world.feed.unblockUser(callerOf(who), whom);
    }
    expect(await read.readAll('fay', 'RANKED', 20)).toEqual([postId]);
    await world.feed.deletePost(callerOf('hal'), original);
    expect(await read.readAll('fay', 'LATEST', 20)).toEqual([]);
  });

  it('answers from Postgres, with the same cursors, while Redis is away', async () => {
    await read.signIn('ida', 'jon');
    await read.follow('ida', 'jon');
    const posts = await read.insert(
      'jon',
      Array.from({ length: 30 }, (_, i) => Date.now() - 1_000_000 + i),
    );
    const first = await read.page('ida', 'LATEST', 10);
    world.redis.disconnect();
    try {
      const second = await read.page('ida', 'LATEST', 10, first.pageInfo.endCursor);
      expect(second.edges.map((edge) => edge.node.postId)).toEqual(posts.toReversed().slice(10, 20));
      expect(second.edges[0]!.why.source).toBe('DATABASE');
    } finally {
      await world.redis.connect();
    }
  });

  it('does not wait for a Redis that is not there yet', async () => {
    await read.signIn('ned', 'ola');
    await read.follow('ned', 'ola');
    const [postId] = await read.insert('ola', [Date.now() - 1_000]);
    const { options } = world.redis as SingleRedis;
    const { retryStrategy } = options;
    options.retryStrategy = () => 4_000;
    world.redis.disconnect(true);
    await once(world.redis, 'reconnecting');
    try {
      const started = performance.now();
      const page = await read.page('ned', 'RANKED', 10);
      expect(page.edges.map((edge) => edge.node.postId)).toEqual([postId]);
      expect(performance.now() - started).toBeLessThan(3_000);
    } finally {
      options.retryStrategy = retryStrategy!;
      await once(world.redis, 'ready');
    }
  });
});

it('a read marker that moves while its reader asks Postgres is never remembered where it was', async () => {
  await read.signIn('kim', 'leo');
  await read.follow('kim', 'leo');
  await read.insert(
    'leo',
    [1, 2, 3].map((n) => Date.now() - 10_000 + n),
  );
  const { edges } = await read.page('kim', 'LATEST', 3);
  const newerOf = async () => (await world.feed.markers.of(['kim'])).get('kim')!.newer;
  await world.feed.markers.mark(viewerOf('kim'), edges[2]!.cursor);
  const { postgres } = world;
  const query = postgres.query;
  for (const loses of [false, true]) {
    await forgetAll(world.redis);
    let isFirst = true;
    postgres.query = (async (...args: Parameters<typeof query>) => {
      const answer = await query.apply(postgres, args);
      if (isFirst) {
        isFirst = false;
        await world.feed.markers.mark(viewerOf('kim'), edges[loses ? 0 : 1]!.cursor);
        if (loses) await forgetAll(world.redis);
      }
      return answer;
    }) as typeof query;
    await newerOf().finally(() => {
      postgres.query = query;
    });
    await expect.poll(newerOf).toBe(loses ? 0 : 1);
    expect(await newerOf()).toBe(loses ? 0 : 1);
  }
});

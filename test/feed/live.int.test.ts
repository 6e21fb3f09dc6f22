import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { feedDefaults } from '../../src/domains/feed/config.js';
import type { FeedUpdate } from '../../src/domains/feed/index.js';
import { createLiveCursors } from '../../src/domains/feed/live/cursors.js';
import { encodeCursor } from '../../src/platform/paging.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  type Heard,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

const liveCursors = createLiveCursors(feedDefaults.cursorSecret);

let world: FeedWorld;
let hub: WakeUpHub;
const open: AsyncIterableIterator<FeedUpdate, void>[] = [];

beforeAll(async () => {
  world = await openFeedWorld();
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    pino({ level: 'silent' }),
  );
  await hub.ready;
  for (const userId of ['reader', 'ann', 'ben', 'stranger']) await world.feed.signIn(userId);
  for (const author of ['ann', 'ben']) await world.feed.followUser(callerOf('reader'), author);
});
afterEach(async () => {
  for (const updates of open.splice(0)) await updates.return!();
});
afterAll(async () => {
  await hub.close();
  await world.close();
});

async function publish(author: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf(author), { content: 'news', visibility: 'public' });
  if (!result.ok) throw new Error('refused');
  await world.note(result.value.postId);
  return result.value.postId;
}

/** A warm feed shows a post when it was pushed; a cold one shows it at once. */
async function warmUp(): Promise<void> {
  await expect
    .poll(async () => {
      const page = { limit: 1, direction: 'forward', cursor: null } as const;
      await world.feed.readFeed(viewerOf('reader'), { order: 'LATEST', page });
      return world.feed.cache.read('reader', Number.MAX_SAFE_INTEGER, 1);
    })
    .not.toBeNull();
}

/** From this moment on: a subscription without a cursor starts when it gets to it, which a test cannot see. */
const fromNow = async (): Promise<string> =>
  liveCursors.write('reader', { done: await world.log.head(), seen: new Set() });

function subscribe(after: string | null) {
  const updates = world.feed.feedUpdates(hub, viewerOf('reader'), after);
  open.push(updates);
  return {
    async take(count: number): Promise<FeedUpdate[]> {
      const taken: FeedUpdate[] = [];
      while (taken.length < count) taken.push((await updates.next()).value as FeedUpdate);
      return taken;
    },
    close: () => updates.return!(),
    rest: () => updates.next(),
  };
}

describe('feedUpdated', () => {
  it('sends a post when it has come to the feed', async () => {
    let heard: FeedUpdate | undefined;
    void subscribe(null)
      .take(1)
      .then(([update]) => {
        heard = update;
      });
    const published: string[] = [];
    await expect
      .poll(async () => {
        published.push(await publish('ann'));
        await world.fanOut(published.at(-1)!);
        return heard;
      })
      .toMatchObject({ authorId: 'ann', userId: 'reader' });
    expect(published).toContain(heard!.postId);
  });

  it('resumes after a cursor: nothing in between is missed or repeated, though fan-outs finish out of order', async () => {
    await warmUp();
    const first = subscribe(await fromNow());
    const one = first.take(1);
    const [slow, quick] = [await publish('ann'), await publish('ben')];
    await world.fanOut(quick);
    const cursor = (await one)[0]!.cursor;
    first.close();
    expect(await first.rest()).toMatchObject({ done: true });

    await world.fanOut(slow);
    const meanwhile = await publish('ben');
    await world.fanOut(meanwhile);
    const second = subscribe(cursor);
    expect((await second.take(2)).map((update) => update.postId)).toEqual([slow, meanwhile]);
    const later = await publish('ann');
    const next = second.take(1);
    await world.fanOut(later);
    expect((await next).map((update) => update.postId)).toEqual([later]);
  });

  it('has no cursor that passes a post whose wake-up was lost, though later ones came', async () => {
    await warmUp();
    const heard = await hub.listen('feed:reader');
    const begun = Promise.withResolvers<void>();
    const arrival = Promise.withResolvers<Heard>();
    const onlyTheLater = {
      next() {
        begun.resolve();
        return arrival.promise;
      },
      close() {},
    };
    const lossy = { ...hub, listen: async () => onlyTheLater };
    const updates = world.feed.feedUpdates(lossy, viewerOf('reader'), null);
    const next = updates.next();
    await begun.promise;

    const lost = await publish('ann');
    await world.fanOut(lost);
    const later = await publish('ben');
    await world.fanOut(later);
    for (let one = await heard.next(); one; one = await heard.next()) {
      if (one.kind !== 'woken' || one.payload.postId !== later) continue;
      arrival.resolve(one);
      break;
    }
    heard.close();
    const first = (await next).value as FeedUpdate;
    await updates.return!();
    expect(first.postId).toBe(later);

    expect((await subscribe(first.cursor).take(1)).map((update) => update.postId)).toEqual([lost]);
  });

  it('without a cursor begins where it arrived: what is published until it listens is sent, too', async () => {
    await warmUp();
    const asked = Promise.withResolvers<void>();
    const published = Promise.withResolvers<void>();
    const slow = {
      ...hub,
      async listen(topic: string) {
        asked.resolve();
        await published.promise;
        return hub.listen(topic);
      },
    };
    const updates = world.feed.feedUpdates(slow, viewerOf('reader'), null);
    open.push(updates);
    const next = updates.next();
    await asked.promise;
    const meanwhile = await publish('ann');
    await world.fanOut(meanwhile);
    published.resolve();
    expect((await next).value).toMatchObject({ postId: meanwhile });
  });

  it('sends no posts of users who are not followed any more', async () => {
    const now = await fromNow();
    await world.feed.followUser(callerOf('reader'), 'stranger');
    const unwanted = await publish('stranger');
    await world.feed.unfollowUser(callerOf('reader'), 'stranger');
    // Whoever listens earlier may rightly be told while the stranger is followed.
    const subscription = subscribe(now);
    const next = subscription.take(1);
    await world.fanOut(unwanted);
    const wanted = await publish('ann');
    await world.fanOut(wanted);
    expect((await next).map((update) => update.postId)).toEqual([wanted]);
  });

  it('refuses a cursor that it did not give', async () => {
    const head = await world.log.head();
    const others = liveCursors.write('ann', { done: head, seen: new Set() });
    const page = { limit: 1, direction: 'forward', cursor: null } as const;
    const { pageInfo } = await world.feed.readFeed(viewerOf('reader'), { order: 'LATEST', page });
    for (const cursor of ['', 'nonsense', encodeCursor(head), others, pageInfo.endCursor!]) {
      await expect(subscribe(cursor).take(1)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });
});

describe('a cursor of feedUpdated', () => {
  it('stays short and valid, however many posts were sent', async () => {
    const subscription = subscribe(await fromNow());
    let cursor = '';
    let longest = 0;
    for (let i = 0; i < 70; i += 1) {
      const next = subscription.take(1);
      await world.fanOut(await publish('ann'));
      [{ cursor }] = (await next) as [FeedUpdate];
      longest = Math.max(longest, cursor.length);
    }
    subscription.close();
    expect(longest).toBeLessThan(600);
    const missed = [await publish('ann'), await publish('ben'), await publish('ann')];
    await world.fanOut(...missed);
    const resumed = await subscribe(cursor).take(3);
    expect(resumed.map((update) => update.postId)).toEqual(missed);
    expect(resumed.at(-1)!.cursor.length).toBeLessThan(100);
  });

  it("keeps an author's posts in order, whichever of them was enqueued first", async () => {
    const subscription = subscribe(await fromNow());
    const next = subscription.take(3);
    const posts = [await publish('ann'), await publish('ann'), await publish('ann')];
    await world.fanOut(posts[2]!);
    expect((await next).map((update) => update.postId)).toEqual(posts);
  });
});

it('sends a resuming reader a post once their feed shows it, not before', async () => {
  await warmUp();
  const first = subscribe(await fromNow());
  const one = first.take(1);
  await world.fanOut(await publish('ann'));
  const cursor = (await one)[0]!.cursor;
  first.close();
  const [slow, quick] = [await publish('ann'), await publish('ben')];
  await world.fanOut(quick);
  const resumed = subscribe(cursor);
  expect((await resumed.take(1)).map((update) => update.postId)).toEqual([quick]);
  const next = resumed.take(1);
  await world.fanOut(slow);
  expect((await next).map((update) => update.postId)).toEqual([slow]);
});

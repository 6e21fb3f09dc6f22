import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedDefaults } from '../../src/domains/feed/config.js';
import { createLiveCursors } from '../../src/domains/feed/live/cursors.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

const liveCursors = createLiveCursors(feedDefaults.cursorSecret);

let world: FeedWorld;
/** Of two api processes. */
let hubs: WakeUpHub[];

beforeAll(async () => {
  world = await openFeedWorld();
  const silent = pino({ level: 'silent' });
  hubs = [1, 2].map(() =>
    createWakeUpHub(
      openBlockingRedis(world.redisUrl.split(','), () => undefined),
      openSubscriptions(world.redis),
      silent,
    ),
  );
  await Promise.all(hubs.map((hub) => hub.ready));
  for (const userId of ['reader', 'ann', 'ben']) await world.feed.signIn(userId);
  for (const author of ['ann', 'ben']) await world.feed.followUser(callerOf('reader'), author);
});
afterAll(async () => {
  for (const hub of hubs) hub.close();
  await world.close();
});

async function publish(
  author: string,
  visibility: 'public' | 'followers' | 'private' = 'public',
  content = 'hi',
) {
  const published = await world.feed.publishPost(callerOf(author), { content, visibility });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  return published.value.postId;
}

/** What the reader is told, in order, up to this post. */
async function toldUpTo(
  last: string,
  after: string,
  hub = hubs[0]!,
): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = [];
  let cursor = after;
  for await (const update of world.feed.feedUpdates(hub, viewerOf('reader'), after)) {
    ids.push(update.postId);
    cursor = update.cursor;
    if (update.postId === last) break;
  }
  return { ids, cursor };
}

const fromNow = async (): Promise<string> =>
  liveCursors.write('reader', { done: await world.log.head(), seen: new Set() });

describe('feedUpdated', () => {
  it.each([
    ['mutes', 'muteUser', 'unmuteUser'],
    ['blocks', 'blockUser', 'unblockUser'],
  ] as const)('tells nothing of whom the reader %s, live or resumed', async (_, apply, undo) => {
    await world.feed[apply](callerOf('reader'), 'ann');
    const now = await fromNow();
    const hidden = await publish('ann');
    const live = publish('ben').then(async (wanted) => {
      const told = toldUpTo(wanted, now);
      await world.fanOut(hidden, wanted);
      return { wanted, told: await told };
    });
    const { wanted, told } = await live;
    expect(told.ids).toEqual([wanted]);
    expect((await toldUpTo(wanted, now)).ids).toEqual([wanted]);
    await world.feed[undo](callerOf('reader'), 'ann');
  });

  it('sends no posts of users who block the reader, no private or deleted posts, and none with muted words', async () => {
    const now = await fromNow();
    const secret = await publish('ann', 'private');
    const deleted = await publish('ann');
    await world.feed.deletePost(callerOf('ann'), deleted);
    await world.feed.setMutedKeywords(callerOf('reader'), ['spoiler']);
    const muted = await publish('ann', 'public', 'a spoiler of the end');
    const wanted = await publish('ann', 'followers');
    await world.fanOut(secret, deleted, muted, wanted);
    expect((await toldUpTo(wanted, now)).ids).toEqual([wanted]);
    await world.feed.setMutedKeywords(callerOf('reader'), []);
    await world.feed.blockUser(callerOf('ann'), 'reader');
    const blocked = await publish('ann');
    const other = await publish('ben');
    await world.fanOut(blocked, other);
    expect((await toldUpTo(other, now)).ids).not.toContain(blocked);
    await world.feed.unblockUser(callerOf('ann'), 'reader');
  });

  it("sends readers neither their own posts nor a celebrity's", async () => {
    const now = await fromNow();
    const own = await publish('reader');
    await world.postgres.query("UPDATE users SET is_celebrity = true WHERE user_id = 'ben'");
    const pulled = await publish('ben');
    await world.postgres.query("UPDATE users SET is_celebrity = false WHERE user_id = 'ben'");
    const wanted = await publish('ann');
    await world.fanOut(own, pulled, wanted);
    expect((await toldUpTo(wanted, now)).ids).toEqual([wanted]);
  });

  it('goes on where it was on another process, whatever was posted and lost between', async () => {
    let cursor = await fromNow();
    const published: string[] = [];
    const told: string[] = [];
    for (let i = 0; i < 12; i += 1) {
      const some = [await publish('ann'), await publish('ben'), await publish('ann')];
      published.push(...some);
      const hub = hubs[i % 2]!;
      const hears = toldUpTo(some.at(-1)!, cursor, hub);
      if (i % 4 === 1) await forgetAll(world.redis);
      await world.fanOut(...some);
      // Another author's fan-out may be the last to be told.
      const { ids, cursor: next } = await hears;
      told.push(...ids);
      cursor = next;
    }
    const last = await publish('ben');
    await world.fanOut(last);
    told.push(...(await toldUpTo(last, cursor)).ids);
    expect(told.toSorted()).toEqual([...published, last].toSorted());
  });
});

describe('the count of what is newer than the read marker', () => {
  it('is that of the feed, on every device', async () => {
    const [first, second] = [await publish('ann'), await publish('ann')];
    await world.fanOut(first, second);
    const page = { limit: 3, cursor: null, direction: 'forward' as const };
    const { edges } = await world.feed.readFeed(viewerOf('reader'), { order: 'LATEST', page });
    expect(edges.slice(0, 2).map((edge) => edge.node.postId)).toEqual([second, first]);
    await world.feed.markers.mark(viewerOf('reader'), edges[1]!.cursor);
    expect((await world.feed.markers.of(['reader'])).get('reader')?.newer).toBe(1);
    const third = await publish('ben');
    await world.fanOut(third);
    expect((await world.feed.markers.of(['reader'])).get('reader')?.newer).toBe(2);
  });
});

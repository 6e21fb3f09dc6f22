import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { type Chance, createChance } from './random.js';

const READERS = Array.from({ length: 25 }, (_, i) => `reader${i}`);
/** Of 25 readers each, some eight of whom turn away meanwhile. */
const ROUNDS = Number(process.env.FEED_ROUNDS ?? 40);
let redis: RedisProcess;
let world: FeedWorld;
let chance: Chance;

beforeAll(async () => {
  chance = createChance();
  redis = await startRedisProcess();
  world = await openFeedWorld({ redis, config: { celebrityFollowers: READERS.length + 1 } });
  for (const userId of ['ann', 'fan', ...READERS]) await world.feed.signIn(userId);
  for (const userId of READERS) await world.feed.followUser(callerOf(userId), 'ann');
});
afterAll(() => world.close());

async function pause(): Promise<void> {
  for (let turns = chance.int(30); turns > 0; turns -= 1) await turn();
}

async function publish(author: string): Promise<string> {
  const published = await world.feed.publishPost(callerOf(author), {
    content: 'hello',
    visibility: 'public',
  });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  return published.value.postId;
}

async function newest(reader: string, limit: number): Promise<string[]> {
  const page = { limit, cursor: null, direction: 'forward' as const };
  const { edges } = await world.feed.readFeed(viewerOf(reader), { order: 'LATEST', page });
  return edges.map((edge) => edge.node.postId);
}

const told = (round: number): string => `FEED_SEED=${chance.seed}, round ${round}`;

describe('beside a fan-out', { timeout: Math.max(120_000, ROUNDS * 3_000) }, () => {
  it('no reader is shown the post from the moment of an unfollow, mute or block, and it comes back when that is undone', async () => {
    const { feed } = world;
    const ways = {
      unfollow: { apply: feed.unfollowUser, undo: feed.followUser },
      mute: { apply: feed.muteUser, undo: feed.unmuteUser },
      block: { apply: feed.blockUser, undo: feed.unblockUser },
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const postId = await publish('ann');
      const turned = async (reader: string): Promise<void> => {
        const way = ways[chance.pick(['unfollow', 'mute', 'block'] as const)];
        await pause();
        if (chance.once(2)) await newest(reader, 3);
        await way.apply(callerOf(reader), 'ann');
        expect(await newest(reader, 3), told(round)).not.toContain(postId);
        await pause();
        expect(await newest(reader, 3), told(round)).not.toContain(postId);
        await way.undo(callerOf(reader), 'ann');
      };
      const some = READERS.filter(() => chance.once(3));
      await Promise.all([world.fanOut(postId), ...some.map(turned)]);
      for (const reader of READERS) expect((await newest(reader, 3))[0], told(round)).toBe(postId);
    }
  });

  it('its author may cross the threshold, up and down: no post is lost and none comes twice', async () => {
    const published: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const cross = async (): Promise<void> => {
        await pause();
        const change = round % 2 === 0 ? world.feed.followUser : world.feed.unfollowUser;
        await change(callerOf('fan'), 'ann');
        await pause();
        await world.feed.settleCelebrities();
      };
      const write = async (): Promise<void> => {
        for (let i = 0; i < 3; i += 1) {
          const postId = await publish('ann');
          published.unshift(postId);
          await pause();
          await world.fanOut(postId);
        }
      };
      await Promise.all([cross(), write(), newest(chance.pick(READERS), 5)]);
      const limit = Math.min(8, published.length);
      for (const reader of READERS.slice(0, 5))
        expect(await newest(reader, limit), told(round)).toEqual(published.slice(0, limit));
    }
    const { rows } = await world.postgres.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM posts WHERE distribution = 'pull'",
    );
    const pulled = rows[0]!.count;
    expect(pulled).toBeGreaterThan(ROUNDS / 2);
    expect(pulled).toBeLessThan(published.length);
  });
});

it('Redis restarts empty in the middle of everything: what had come to a feed stays in it', async () => {
  const done: string[] = [];
  let isOver = false;
  /** As projectors and jobs do: again until it works. */
  const untilDone = async (work: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await work();
        return;
      } catch {
        await turn();
      }
    }
  };
  const writing = (async () => {
    while (!isOver) {
      // This lease notes nothing in Postgres: a post whose write to Redis failed was not acknowledged.
      await untilDone(async () => {
        const postId = await publish('ann');
        await untilDone(() => world.fanOut(postId));
        done.unshift(postId);
      });
    }
  })();
  const reading = READERS.slice(0, 3).map(async (reader) => {
    while (!isOver) {
      const arrived = done.slice(0, 5);
      const page = await newest(reader, 20);
      // A read that waited for Redis may find more than a page of newer posts; ids are in the order of publication.
      const oldest = page.length === 20 ? page.at(-1)! : '';
      const expected = arrived.filter((postId) => postId >= oldest);
      expect(page, `FEED_SEED=${chance.seed}`).toEqual(expect.arrayContaining(expected));
    }
  });
  for (let restart = 0; restart < 5; restart += 1) {
    const before = done.length;
    await redis.kill();
    await redis.restart();
    await expect.poll(() => done.length, { timeout: 30_000 }).toBeGreaterThan(before + 3);
  }
  isOver = true;
  await Promise.all([writing, ...reading]);
  for (const reader of READERS) expect((await newest(reader, 5))[0]).toBe(done[0]);
}, 120_000);

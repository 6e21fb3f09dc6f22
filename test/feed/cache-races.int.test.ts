import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFeedCache, type FeedCache } from '../../src/domains/feed/cache/feed-cache.js';
import { BEGINNING, newestFirst, type PostPlace } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Redis } from '../../src/platform/redis/redis.js';
import { heldLease } from '../support/held-lease.js';
import { connectTo, forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';
import { type Chance, createChance } from './random.js';

const ROUNDS = 2_000;
const AT_ONCE = 50;
const ids = uuidV7Ids(systemClock);
let server: TestRedis;
let redis: Redis;
let cache: FeedCache;

beforeAll(async () => {
  server = await startTestRedis();
  redis = await connectTo(server);
  cache = createFeedCache({ redis, lease: heldLease(redis), ids });
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

/** One reader, and what Postgres knows of him at this moment: who is followed, and what they published. */
class Reader {
  readonly posts: { readonly author: string; readonly place: PostPlace }[] = [];
  readonly follows = new Set<string>();

  constructor(
    readonly userId: string,
    private readonly chance: Chance,
  ) {}

  private async pause(): Promise<void> {
    for (let turns = this.chance.int(6); turns > 0; turns -= 1) await turn();
  }

  /** Commits, and later pushes to whoever follows when the fan-out comes by. */
  async publish(author: string): Promise<void> {
    await this.pause();
    const place = { at: 1_763_800_000_000 + this.chance.int(3), postId: ids.next() };
    this.posts.push({ author, place });
    await this.pause();
    const isFollowed = this.follows.has(author);
    await this.pause();
    if (isFollowed) await cache.push([this.userId], place);
  }

  async rebuild(): Promise<void> {
    await this.pause();
    await cache.build(this.userId, async () => {
      await this.pause();
      const places = this.wanted();
      await this.pause();
      return { places, completeFrom: BEGINNING };
    });
  }

  /** An edge changes, and then the feed goes cold. */
  async toggle(author: string): Promise<void> {
    await this.pause();
    if (!this.follows.delete(author)) this.follows.add(author);
    await this.pause();
    await cache.invalidate([this.userId]);
  }

  wanted(): PostPlace[] {
    return this.posts
      .filter(({ author }) => this.follows.has(author))
      .map(({ place }) => place)
      .sort(newestFirst);
  }

  /** A cold feed is read from Postgres; a warm one must have no holes. */
  async expectNoHoles(exactly: boolean): Promise<boolean> {
    const feed = await cache.read(this.userId, Number.MAX_SAFE_INTEGER, 600);
    if (feed === null) return false;
    if (exactly) expect(feed.places).toEqual(this.wanted());
    expect(feed.places).toEqual(expect.arrayContaining(this.wanted()));
    return true;
  }
}

/** Plays a race many times, many at once; answers how many feeds were warm at its end. */
async function race(
  name: string,
  play: (reader: Reader, chance: Chance) => Promise<void>,
  exactly: boolean,
): Promise<number> {
  const chance = createChance();
  let warm = 0;
  for (let round = 0; round < ROUNDS; round += AT_ONCE) {
    const readers = Array.from({ length: AT_ONCE }, (_, i) => new Reader(`${name}${round + i}`, chance));
    try {
      for (const reader of readers) reader.follows.add('ann');
      await Promise.all(readers.map((reader) => play(reader, chance)));
      for (const isWarm of await Promise.all(readers.map((reader) => reader.expectNoHoles(exactly))))
        warm += Number(isWarm);
    } catch (error) {
      throw new Error(`FEED_SEED=${chance.seed}, round ${round}`, { cause: error });
    }
  }
  return warm;
}

// A few seconds where the machine is free.
describe('a warm feed has no holes', () => {
  it('where posts are published while it is rebuilt', async () => {
    const warm = await race(
      'publish',
      async (reader) => {
        await Promise.all([reader.publish('ann'), reader.rebuild(), reader.publish('ann'), reader.rebuild()]);
      },
      true,
    );
    expect(warm).toBe(ROUNDS);
  });

  it('where its reader follows and unfollows beside fan-outs and rebuilds', async () => {
    const warm = await race(
      'follow',
      async (reader) => {
        const changes = async (): Promise<void> => {
          await reader.toggle('ann');
          await reader.toggle('ann');
          await reader.toggle('ben');
        };
        const rebuilds = async (): Promise<void> => {
          for (let i = 0; i < 4; i += 1) await reader.rebuild();
        };
        await Promise.all([
          changes(),
          rebuilds(),
          reader.publish('ann'),
          reader.publish('ben'),
          reader.publish('ann'),
        ]);
      },
      false,
    );
    expect(warm).toBeGreaterThan(ROUNDS / 10);
  });

  it('where Redis is emptied in the middle of everything', async () => {
    const warm = await race(
      'empty',
      async (reader, chance) => {
        const losses = async (): Promise<void> => {
          if (chance.once(AT_ONCE / 2)) await forgetAll(redis);
        };
        const rebuilds = async (): Promise<void> => {
          for (let i = 0; i < 3; i += 1) await reader.rebuild();
        };
        await Promise.all([reader.publish('ann'), rebuilds(), losses(), reader.publish('ann')]);
      },
      true,
    );
    expect(warm).toBeGreaterThan(ROUNDS / 10);
  });
});

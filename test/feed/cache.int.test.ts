import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFeedCache, type FeedCache } from '../../src/domains/feed/cache/feed-cache.js';
import { BEGINNING, firstIdAt, newestFirst, type PostPlace } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { heldLease } from '../support/held-lease.js';
import { connectTo, forgetAll, keysLike, startTestRedis, type TestRedis } from '../support/redis.js';
import { startRedisProcess } from '../support/redis-process.js';
import { createChance } from './random.js';

const ids = uuidV7Ids(systemClock);
const NEWEST = Number.MAX_SAFE_INTEGER;
const START = 1_763_800_000_000;
let server: TestRedis;
let redis: Redis;
let cache: FeedCache;

beforeAll(async () => {
  server = await startTestRedis();
  redis = await connectTo(server);
  cache = createFeedCache({ redis, lease: heldLease(redis), ids });
});
beforeEach(() => forgetAll(redis));
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const place = (n: number): PostPlace => ({ at: START + n, postId: ids.next() });
const warm = (userId: string, places: readonly PostPlace[], completeFrom = BEGINNING) =>
  cache.build(userId, async () => ({ places: [...places].sort(newestFirst), completeFrom }));
async function placesOf(userId: string, at = NEWEST, limit = 600): Promise<readonly PostPlace[] | null> {
  return (await cache.read(userId, at, limit))?.places ?? null;
}

describe('a warm feed', () => {
  it('answers what was built and what was pushed since, newest first, siblings of a millisecond by id', async () => {
    const old = [place(1), place(2), place(2), place(3)];
    await warm('ann', old);
    const pushed = [place(2), place(9), place(4)];
    for (const one of pushed) expect(await cache.push(['ann', 'cold'], one)).toBe(1);
    const all = [...old, ...pushed].sort(newestFirst);
    expect(await placesOf('ann')).toEqual(all);
    expect(await placesOf('ann', START + 3, 2)).toEqual(all.filter(({ at }) => at <= START + 3).slice(0, 2));
    expect(await placesOf('cold')).toBeNull();
  });

  it('is cold where processes come back to a server that they had left: they pushed elsewhere meanwhile', async () => {
    let life = 'lifelife';
    const lease = { ...heldLease(redis), read: <T>(read: (epoch: string) => Promise<T>) => read(life) };
    const feeds = createFeedCache({ redis, lease, ids });
    const build = () => feeds.build('ann', async () => ({ places: [], completeFrom: BEGINNING }));
    for (life of ['lifelife', 'lifelife.1', 'lifelife.2']) {
      expect(await feeds.read('ann', NEWEST, 10)).toBeNull();
      expect(await feeds.push(['ann'], place(1))).toBe(0);
      await build();
      expect(await feeds.push(['ann'], place(1))).toBe(1);
      expect((await feeds.read('ann', NEWEST, 10))?.places).toHaveLength(1);
    }
  });

  it('holds a post once, however often it is pushed', async () => {
    const old = place(1);
    await warm('ann', [old]);
    for (let i = 0; i < 3; i += 1) await cache.push(['ann'], old);
    expect(await placesOf('ann')).toEqual([old]);
  });

  it('keeps the latest 500, and says down to where it is whole', async () => {
    const places = Array.from({ length: 900 }, (_, i) => place(i));
    await warm('ann', places.slice(0, 450), place(-1));
    for (const one of places.slice(450)) await cache.push(['ann'], one);
    const feed = (await cache.read('ann', NEWEST, 1_000))!;
    expect(feed.places.length).toBeGreaterThanOrEqual(500);
    expect(feed.places.length).toBeLessThanOrEqual(621);
    const whole = places.toReversed().filter((one) => newestFirst(one, feed.completeFrom) <= 0);
    expect(feed.places).toEqual(whole);
  });

  it('ignores what is pushed below its floor', async () => {
    const floor = { at: START, postId: '01990000-0000-7000-8000-000000000005' };
    await warm('ann', [floor], floor);
    const below = { at: START, postId: '01990000-0000-7000-8000-000000000004' };
    const above = { at: START, postId: '01990000-0000-7000-8000-000000000006' };
    expect(await cache.push(['ann'], below)).toBe(0);
    expect(await cache.push(['ann'], above)).toBe(1);
    expect(await placesOf('ann')).toEqual([above, floor]);
  });

  it('counts what is newer than a place', async () => {
    const old = [place(1), place(2), place(2)].sort(newestFirst);
    await warm('ann', old);
    await cache.push(['ann'], place(3));
    expect(await cache.countAbove('ann', old[2]!)).toBe(3);
    expect(await cache.countAbove('ann', old[1]!)).toBe(2);
    expect(await cache.countAbove('ann', BEGINNING)).toBe(4);
    expect(await cache.countAbove('cold', BEGINNING)).toBeNull();
  });

  it('counts once what was pushed twice, or while it was built', async () => {
    const [one, two] = [place(1), place(2)];
    await cache.build('ann', async () => {
      await cache.push(['ann'], one);
      return { places: [one], completeFrom: BEGINNING };
    });
    for (let i = 0; i < 2; i += 1) await cache.push(['ann'], two);
    expect(await cache.countAbove('ann', BEGINNING)).toBe(2);
    expect(await cache.countAbove('ann', { ...one, postId: BEGINNING.postId })).toBe(2);
    expect(await cache.countAbove('ann', one)).toBe(1);
  });

  it('lives on by being read, and by nothing else', async () => {
    const [old, pushed] = [place(1), place(2)];
    await warm('ann', [old]);
    const keys = await keysLike(redis, '*:ann');
    const lives = () => Promise.all(keys.map((key) => redis.pttl(key)));
    for (const key of keys) await redis.pexpire(key, 60_000);
    await cache.push(['ann'], pushed);
    expect((await cache.holds('ann', [old.postId, pushed.postId]))?.size).toBe(2);
    expect(await cache.countAbove('ann', old)).toBe(1);
    for (const life of await lives()) expect(life).toBeLessThanOrEqual(60_000);
    await placesOf('ann');
    for (const life of await lives()) expect(life).toBeGreaterThan(60_000);
  });

  it('holds what is pushed in any order, like a list that is sorted and cut', async () => {
    const chance = createChance();
    const oddId = '5f2d1c3e-8a4b-4c6d-9e0f-a1b2c3d4e5f6';
    let made = 0;
    const placeNow = (n: number): PostPlace => {
      made += 1;
      const rest = made.toString(16).padStart(12, '0');
      return { at: START + n, postId: firstIdAt(START + n - chance.int(2)).slice(0, 24) + rest };
    };
    let expected = Array.from({ length: 480 }, (_, i) => placeNow(i * 10)).sort(newestFirst);
    let floor = BEGINNING;
    await warm('ann', expected);
    for (let n = 0; n < 300; n += 1) {
      const isOdd = n === 200;
      const at = 4_800 + n * 10 - (chance.once(4) ? chance.int(6_000) : 0);
      const pushed = isOdd ? { at: START + at, postId: oddId } : placeNow(at);
      const isBelow = newestFirst(pushed, floor) > 0;
      if (!isBelow && !expected.some(({ postId }) => postId === pushed.postId))
        expected = [...expected, pushed].sort(newestFirst).slice(0, 500);
      expect(await cache.push(['ann'], pushed)).toBe(isBelow ? 0 : 1);
      if (expected.length === 500) floor = expected.at(-1)!;
      if (n % 10 !== 0) continue;
      const whole = await cache.read('ann', NEWEST, 1_000);
      expect(whole, `FEED_SEED=${chance.seed}`).toEqual({ completeFrom: floor, places: expected });
      const from = expected[chance.int(expected.length)]!;
      const below = expected.filter((one) => one.at <= from.at);
      expect(await placesOf('ann', from.at, 30)).toEqual(below.slice(0, 30));
      expect(await cache.countAbove('ann', from)).toBe(expected.indexOf(from));
    }
  });

  it('takes at most 8.5 KB, also where it has come to 500 posts by pushes', async () => {
    const full = Array.from({ length: 500 }, (_, i) => ({ at: START + i, postId: firstIdAt(START + i) }));
    await warm('ann', full.slice(0, 300));
    for (const one of full.slice(300)) await cache.push(['ann'], one);
    expect(await placesOf('ann')).toHaveLength(500);
    const keys = await keysLike(redis, '*:ann');
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    expect(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0)).toBeLessThanOrEqual(8_500);
  });

  it('takes pushes for thousands at once', async () => {
    const users = Array.from({ length: 2_500 }, (_, i) => `u${i}`);
    await Promise.all(users.map((userId) => warm(userId, [])));
    const post = place(1);
    expect(await cache.push(users, post)).toBe(2_500);
    expect(await placesOf('u2499')).toEqual([post]);
  });
});

describe('a build', () => {
  it('merges what was pushed while Postgres was read', async () => {
    const [old, meanwhile] = [place(1), place(2)];
    await cache.build('ann', async () => {
      expect(await cache.push(['ann'], meanwhile)).toBe(0);
      return { places: [old], completeFrom: BEGINNING };
    });
    expect(await placesOf('ann')).toEqual([meanwhile, old]);
  });

  it('is discarded where the relations changed meanwhile', async () => {
    await cache.build('ann', async () => {
      await cache.invalidate(['ann']);
      return { places: [place(1)], completeFrom: BEGINNING };
    });
    expect(await placesOf('ann')).toBeNull();
  });

  it('has one builder at a time', async () => {
    let second = false;
    await cache.build('ann', async () => {
      await cache.build('ann', async () => {
        second = true;
        return { places: [], completeFrom: BEGINNING };
      });
      return { places: [], completeFrom: BEGINNING };
    });
    expect(second).toBe(false);
    expect(await placesOf('ann')).toEqual([]);
  });
});

describe('a Redis that loses', () => {
  it('the string of a feed makes it cold', async () => {
    await warm('ann', [place(1)]);
    await cache.push(['ann'], place(2));
    const [key, ...others] = await keysLike(redis, '*:ann');
    expect(others).toEqual([]);
    await redis.del(key!);
    expect(await placesOf('ann')).toBeNull();
    await warm('ann', []);
    expect(await placesOf('ann')).toEqual([]);
  });

  it('what was pushed while a feed was built discards the build', async () => {
    await cache.build('ann', async () => {
      await cache.push(['ann'], place(2));
      await forgetAll(redis);
      return { places: [place(1)], completeFrom: BEGINNING };
    });
    expect(await placesOf('ann')).toBeNull();
  });

  it('a push that it acknowledged, and comes back from disk without it, has no warm feed', async () => {
    const persistent = await startRedisProcess();
    const client = openRedis([persistent.url], () => undefined);
    try {
      await client.ping();
      const feeds = createFeedCache({ redis: client, lease: heldLease(client), ids });
      await feeds.build('ann', async () => ({ places: [place(1)], completeFrom: BEGINNING }));
      const dump = await Promise.all(
        (await client.keys('*')).map(async (key) => ({ key, value: (await client.dumpBuffer(key))! })),
      );
      expect(await feeds.push(['ann'], place(2))).toBe(1);
      await persistent.kill();
      await persistent.restart();
      for (const { key, value } of dump) await client.restore(key, 0, value);
      expect(await feeds.read('ann', NEWEST, 10)).toBeNull();
      expect(await feeds.push(['ann'], place(3))).toBe(0);
    } finally {
      client.disconnect();
      await persistent.stop();
    }
  });
});

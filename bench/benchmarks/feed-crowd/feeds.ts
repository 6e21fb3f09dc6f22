import { Redis } from 'ioredis';
import type { FeedCache } from '../../../src/domains/feed/cache/feed-cache.js';

/** Entries of a full feed. */
export const entries = 500;
const beginning = { at: 0, postId: '00000000-0000-0000-0000-000000000000' };
const model = 'model';

/** Ids and times of posts, one a minute, newest first, none newer than now. */
function places(): { at: number; postId: string }[] {
  const now = Date.now();
  return Array.from({ length: entries }, (_, n) => {
    const at = now - (n + 1) * 60_000;
    const time = at.toString(16).padStart(12, '0');
    const rest = ((n + 1) * 2_654_435_761).toString(16).padStart(12, '0').slice(-12);
    return { at, postId: `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${rest}` };
  });
}

/** Fills one reader's feed as a cold read does. */
async function fill(cache: FeedCache, userId: string): Promise<void> {
  await cache.build(userId, async () => ({ places: places(), completeFrom: beginning }));
}

/** What one full feed takes of Redis' memory, in all its keys. */
export async function bytesOfFeed(cache: FeedCache, redisUrl: string): Promise<number> {
  const redis = new Redis(redisUrl);
  try {
    await fill(cache, model);
    await expectFull(cache, model);
    const keys = await redis.keys(`*:${model}`);
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key, 'SAMPLES', 0)));
    return sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  } finally {
    redis.disconnect();
  }
}

/** Fills all feeds. One is built; the others are begun, each where the cache wants it, and get a copy of it. */
export async function warmAll(cache: FeedCache, redisUrl: string, userIds: readonly string[]): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    await fill(cache, model);
    for (let i = 0; i < userIds.length; i += 500) {
      const some = userIds.slice(i, i + 500);
      await Promise.all(
        some.map((userId) => cache.build(userId, async () => ({ places: [], completeFrom: beginning }))),
      );
    }
    const ofModel = await redis.keys(`*:${model}`);
    const kindOf = (key: string): string => key.split(':').at(-2)!;
    const copies = new Map(
      await Promise.all(ofModel.map(async (key) => [kindOf(key), await redis.dumpBuffer(key)] as const)),
    );
    const begun = (await redis.keys('*:follower-*')).filter((key) => copies.has(kindOf(key)));
    for (let i = 0; i < begun.length; i += 500) {
      const pipeline = redis.pipeline();
      for (const key of begun.slice(i, i + 500))
        pipeline.restore(key, 604_800_000, copies.get(kindOf(key))!, 'REPLACE');
      await pipeline.exec();
    }
    await expectFull(cache, userIds[0]!);
    await expectFull(cache, userIds.at(-1)!);
  } finally {
    redis.disconnect();
  }
}

async function expectFull(cache: FeedCache, userId: string): Promise<void> {
  const warm = await cache.read(userId, Number.MAX_SAFE_INTEGER, entries + 100);
  if (warm === null || warm.places.length < entries) throw new Error(`the feed of ${userId} is not full`);
}

/** So few, since what a benchmark throws away is collected while it measures. */
const looksAt = 5;

/** @throws unless every one of these feeds holds the post among its newest */
export async function verifyArrived(
  cache: FeedCache,
  userIds: readonly string[],
  postId: string,
): Promise<void> {
  for (let i = 0; i < userIds.length; i += 500) {
    await Promise.all(
      userIds.slice(i, i + 500).map(async (userId) => {
        const warm = await cache.read(userId, Number.MAX_SAFE_INTEGER, looksAt);
        if (!warm?.places.some((place) => place.postId === postId))
          throw new Error(`${userId} has not got ${postId}`);
      }),
    );
  }
}

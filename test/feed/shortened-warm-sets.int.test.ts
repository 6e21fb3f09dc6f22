import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFeedCache, type FeedCache } from '../../src/domains/feed/cache/feed-cache.js';
import { createWarmSets } from '../../src/domains/feed/cache/warm-sets.js';
import { BEGINNING, newestFirst, type PostPlace } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Redis } from '../../src/platform/redis/redis.js';
import { heldLease } from '../support/held-lease.js';
import { connectTo, forgetAll, keysLike, startTestRedis, type TestRedis } from '../support/redis.js';

const ids = uuidV7Ids(systemClock);
const NEWEST = Number.MAX_SAFE_INTEGER;
const [HEADER, ENTRY] = [67, 16];
let server: TestRedis;
let redis: Redis;
let cache: FeedCache;
let sets: ReturnType<typeof createWarmSets>;
beforeAll(async () => {
  server = await startTestRedis();
  redis = await connectTo(server);
  cache = createFeedCache({ redis, lease: heldLease(redis), ids });
  sets = createWarmSets({ redis, lease: heldLease(redis), ids }, 'feed');
});
beforeEach(() => forgetAll(redis));
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const placeOf = (n: number): PostPlace => ({ at: Date.now() + n, postId: ids.next() });
const warm = (userId: string, places: readonly PostPlace[]) =>
  cache.build(userId, async () => ({ places: places.toSorted(newestFirst), completeFrom: BEGINNING }));

it.each([HEADER, HEADER + 3, HEADER + 2 * ENTRY + 5])(
  'a set that was cut to %d bytes is cold, is built anew, and others are read beside it',
  async (bytes) => {
    const places = [1, 2, 3, 4, 5].map(placeOf);
    await warm('ann', places);
    await warm('bob', places);
    const [key] = await keysLike(redis, '*feed-recent:ann');
    const whole = (await redis.getBuffer(key!))!;
    await redis.set(key!, whole.subarray(0, bytes), 'KEEPTTL');

    const read = await sets.read(['ann', 'bob'], places[2]!.at, 10);
    expect(read.get('ann') ?? null).toBeNull();
    expect(read.get('bob')?.places).toHaveLength(3);
    await warm('ann', places);
    expect((await cache.read('ann', NEWEST, 10))?.places).toEqual(places.toSorted(newestFirst));
  },
);

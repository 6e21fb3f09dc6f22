import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFeedCache, type FeedCache } from '../../src/domains/feed/cache/feed-cache.js';
import { hexOf, packId } from '../../src/domains/feed/cache/packed-places.js';
import { BEGINNING, type PostPlace } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { loadScript, type Redis, runScriptEach } from '../../src/platform/redis/redis.js';
import { heldLease } from '../support/held-lease.js';
import { connectTo, forgetAll, keysLike, startTestRedis, type TestRedis } from '../support/redis.js';

/*
 * Processes of the version before, whose warm sets are two sorted sets, beside those of today: during a rolling upgrade both push to the same
 * feeds and read them. The scripts in `former-warm-set` are theirs, unchanged.
 */

const ids = uuidV7Ids(systemClock);
const NEWEST = Number.MAX_SAFE_INTEGER;
const LIFE = 'lifelife';
let server: TestRedis;
let redis: Redis;
let today: FeedCache;

beforeAll(async () => {
  server = await startTestRedis();
  redis = await connectTo(server);
  today = createFeedCache({
    redis,
    lease: { ...heldLease(redis), read: <T>(read: (epoch: string) => Promise<T>) => read(LIFE) },
    ids,
  });
});
beforeEach(() => forgetAll(redis));
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});

const formerScript = (name: string) =>
  loadScript(
    new URL('./former-warm-set/warm-set.lua', import.meta.url),
    new URL(`./former-warm-set/${name}.lua`, import.meta.url),
  );
async function runFormer(name: string, ...args: (string | number | Buffer)[]): Promise<unknown> {
  const key = (await keyOfFeed()).replace('feed-recent', 'feed');
  const [answer] = await runScriptEach(redis, formerScript(name), [{ keys: [key], args: [LIFE, ...args] }]);
  return answer;
}
const former = {
  push: (place: PostPlace) => runFormer('push', place.at, hexOf(place.postId), 500, 64),
  async isWarm(): Promise<boolean> {
    return (await runFormer('read', NEWEST, 100, 0)) !== null;
  },
  begin: () => runFormer('begin-build', 'token', 10_000),
  finish: () => runFormer('finish-build', 'token', 0, packId(BEGINNING.postId), 600_000),
  async build(): Promise<void> {
    expect(await former.begin()).toBe(1);
    expect(await former.finish()).toBe(1);
  },
};

let key = '';
/** The key of ann's feed, as this version has named it. */
async function keyOfFeed(): Promise<string> {
  if (key === '') {
    await build([]);
    key = (await keysLike(redis, '*feed-recent:ann'))[0]!;
    await forgetAll(redis);
  }
  return key;
}
const place = (): PostPlace => ({ at: Date.now(), postId: ids.next() });
const build = (places: readonly PostPlace[]) =>
  today.build('ann', async () => ({ places, completeFrom: BEGINNING }));
const read = async (): Promise<readonly PostPlace[] | null> =>
  (await today.read('ann', NEWEST, 100))?.places ?? null;

describe('during an upgrade from sorted sets', () => {
  it('what a process of the version before pushes is not missed: the feed is cold, and built again', async () => {
    await build([place()]);
    await former.push(place());
    expect(await read()).toBeNull();
    const built = [place()];
    await build(built);
    expect(await read()).toEqual(built);
  });

  it('what a process of this version pushes is not missed by those of the version before', async () => {
    await former.build();
    expect(await former.isWarm()).toBe(true);
    await today.push(['ann'], place());
    expect(await former.isWarm()).toBe(false);
  });

  it('a feed that the other version has built is cold, and each can build it', async () => {
    await former.build();
    expect(await read()).toBeNull();
    await build([]);
    expect(await read()).toEqual([]);
    expect(await former.isWarm()).toBe(false);
    await former.build();
    expect(await former.isWarm()).toBe(true);
    expect(await read()).toBeNull();
    expect(await keysLike(redis, '*:ann')).toEqual([]);
  });

  it('one of them builds at a time, and gets what the other pushes meanwhile', async () => {
    const meanwhile = place();
    await keyOfFeed();
    await today.build('ann', async () => {
      expect(await former.begin()).toBe(0);
      expect(await former.push(meanwhile)).toBe(0);
      return { places: [], completeFrom: BEGINNING };
    });
    expect(await read()).toEqual([meanwhile]);
    await forgetAll(redis);
    await former.begin();
    await build([]);
    expect(await read()).toBeNull();
    await today.push(['ann'], meanwhile);
    expect(await former.finish()).toBe(1);
    const [, , recent] = (await runFormer('read', NEWEST, 100, 0)) as [string, string, string[]];
    expect(recent).toHaveLength(2);
  });

  it('a follow makes feeds of both versions cold', async () => {
    await former.build();
    await today.invalidate(['ann']);
    expect(await former.isWarm()).toBe(false);
  });
});

import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { forgetFanOuts } from '../../src/domains/feed/fan-out/done.js';
import { fanOutOutbox } from '../../src/domains/feed/fan-out/fan-out-task.js';
import { FOLLOWERS_A_PAGE } from '../../src/domains/feed/fan-out/followers.js';
import { feedTopic } from '../../src/domains/feed/fan-out/serve.js';
import { createPresence } from '../../src/domains/feed/live/presence.js';
import { NOW_AND_LATER } from '../../src/domains/feed/types.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Outbox } from '../../src/platform/outbox/index.js';
import { removeEach } from '../../src/platform/redis/many-keys.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions } from '../../src/platform/wake-ups/wake-ups.js';
import { keysOf, outboxOn } from '../support/outbox.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';

const FOLLOWERS = 2 * FOLLOWERS_A_PAGE + 300;
const silent = pino({ level: 'silent' });
let world: FeedWorld;
let sweptBy: Outbox;

beforeAll(async () => {
  world = await openFeedWorld();
  sweptBy = outboxOn(world.postgres);
  for (const userId of ['ann', 'star']) await world.feed.signIn(userId);
  await world.postgres.query(
    `INSERT INTO users (user_id, display_name, last_seen_at) SELECT 'f' || n, 'f', now() FROM generate_series(1, $1) n`,
    [FOLLOWERS],
  );
  await world.postgres.query(
    `INSERT INTO follows (follower_id, followee_id)
     SELECT f.id, a.id FROM users f, users a WHERE f.user_id LIKE 'f%' AND a.user_id = 'ann'`,
  );
  await world.postgres.query("UPDATE users SET follower_count = $1 WHERE user_id = 'ann'", [FOLLOWERS]);
  await world.postgres.query("UPDATE users SET is_celebrity = true WHERE user_id = 'star'");
});
beforeEach(async () => {
  await forgetAll(world.redis);
  await world.postgres.query('TRUNCATE fanouts, outbox');
});
afterAll(() => world.close());

async function publish(author: string, visibility: 'public' | 'private' = 'public'): Promise<string> {
  const published = await world.feed.publishPost(callerOf(author), { content: 'hello', visibility });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  return published.value.postId;
}

const warm = (...userIds: string[]) =>
  Promise.all(
    userIds.map((userId) =>
      world.feed.cache.build(userId, async () => ({
        places: [],
        completeFrom: { at: 0, postId: '00000000-0000-0000-0000-000000000000' },
      })),
    ),
  );
async function feedOf(userId: string): Promise<string[] | undefined> {
  const feed = await world.feed.cache.read(userId, NOW_AND_LATER.at, 100);
  return feed?.places.map((place) => place.postId);
}
async function progressOf(postId: string) {
  const { rows } = await world.postgres.query(
    'SELECT followers, pushed, completed_at IS NOT NULL AS done, online_done FROM fanouts WHERE post_id = $1',
    [postId],
  );
  return rows[0];
}

/** What the sweeper finds. */
const stalled = async () => (await sweptBy.claim(fanOutOutbox, 100)).map(({ payload }) => payload.postId);

describe('a fan-out', () => {
  it('comes to every warm feed, page after page, and counts whom it came to', async () => {
    const some = [1, FOLLOWERS_A_PAGE, FOLLOWERS_A_PAGE + 1, FOLLOWERS].map((n) => `f${n}`);
    await warm(...some);
    const postId = await publish('ann');
    await world.fanOut(postId);
    for (const userId of some) expect(await feedOf(userId)).toEqual([postId]);
    expect(await feedOf('f2')).toBeUndefined();
    expect(await progressOf(postId)).toMatchObject({ followers: FOLLOWERS, pushed: 4, done: true });
  });

  it('that was killed goes on where it was; run again it changes nothing and counts nothing twice', async () => {
    await warm('f1', `f${FOLLOWERS}`);
    const postId = await publish('ann');
    await world.note(postId);
    // Every write after the second page of followers fails, as where its process was killed.
    const push = world.feed.cache.push;
    let pages = 0;
    const killed = new Error('killed');
    Object.assign(world.feed.cache, {
      push: (...args: Parameters<typeof push>) => {
        pages += 1;
        return pages > 2 ? Promise.reject(killed) : push(...args);
      },
    });
    await expect(world.feed.runFanOuts('ann', silent)).rejects.toBe(killed);
    Object.assign(world.feed.cache, { push });
    expect(await feedOf(`f${FOLLOWERS}`)).toEqual([]);
    // The first two pages are not served again.
    await expect.poll(async () => (await progressOf(postId))?.followers).toBeGreaterThan(500);
    await Promise.all([world.feed.runFanOuts('ann', silent), world.feed.runFanOuts('ann', silent)]);
    await world.feed.runFanOuts('ann', silent);
    expect(await feedOf('f1')).toEqual([postId]);
    expect(await feedOf(`f${FOLLOWERS}`)).toEqual([postId]);
    expect(await progressOf(postId)).toMatchObject({ followers: FOLLOWERS, pushed: 2, done: true });
  });

  it('that was killed after serving connected followers is completed, though it serves them again', async () => {
    const listeners = Array.from(
      { length: FOLLOWERS - FOLLOWERS_A_PAGE },
      (_, n) => `f${FOLLOWERS_A_PAGE + n + 1}`,
    );
    const presence = createPresence({ redis: world.redis, clock: systemClock });
    for (const userId of listeners) presence.arrive(userId);
    await vi.waitFor(async () =>
      expect(await presence.among(listeners)).toHaveProperty('size', listeners.length),
    );
    await warm(...listeners);
    const postId = await publish('ann');
    await world.fanOut(postId);
    // As it stands where the process is killed after its first page.
    await world.postgres.query(
      `UPDATE fanouts SET completed_at = NULL, followers = $2::int, after_follower = (
         SELECT max(id) FROM (SELECT id FROM users WHERE user_id LIKE 'f%' ORDER BY id LIMIT $2::int) first)
       WHERE post_id = $1`,
      [postId, FOLLOWERS_A_PAGE],
    );
    expect(await progressOf(postId)).toMatchObject({ pushed: listeners.length, online_done: true });
    await world.feed.runFanOuts('ann', silent);
    const { pushed, ...rest } = (await progressOf(postId))!;
    expect(rest).toMatchObject({ followers: FOLLOWERS, done: true });
    expect(pushed).toBeLessThanOrEqual(FOLLOWERS);
  });

  it('serves those first who listen', async () => {
    const last = `f${FOLLOWERS}`;
    const leave = createPresence({ redis: world.redis, clock: systemClock }).arrive(last);
    await warm('f1', last);
    const postId = await publish('ann');
    await world.note(postId);
    const push = world.feed.cache.push;
    const served: string[][] = [];
    Object.assign(world.feed.cache, {
      push: (userIds: string[], place: Parameters<typeof push>[1]) => {
        served.push([...userIds]);
        return push(userIds, place);
      },
    });
    await world.feed.runFanOuts('ann', silent);
    Object.assign(world.feed.cache, { push });
    leave();
    expect(served[0]).toEqual([last]);
    expect(served.flat()).toHaveLength(FOLLOWERS);
    expect(await progressOf(postId)).toMatchObject({ online_done: true, followers: FOLLOWERS, pushed: 2 });
  });

  it('skips followers who were away for over 30 days unless they are connected, and serves them again after they return', async () => {
    await world.postgres.query(
      "UPDATE users SET last_seen_at = now() - interval '31 days' WHERE user_id IN ('f5', 'f6', 'f7')",
    );
    createPresence({ redis: world.redis, clock: systemClock }).arrive('f6');
    await world.feed.signIn('f7');
    await warm('f5', 'f6', 'f7');
    const postId = await publish('ann');
    await world.fanOut(postId);
    expect(await feedOf('f5')).toEqual([]);
    expect(await feedOf('f6')).toEqual([postId]);
    expect(await feedOf('f7')).toEqual([postId]);
  });

  it('that cannot write feeds wakes their readers all the same, and is taken up again within some seconds', async () => {
    const hub = createWakeUpHub(
      openBlockingRedis(world.redisUrl.split(','), () => undefined),
      openSubscriptions(world.redis),
      silent,
    );
    await hub.ready;
    const listener = await hub.listen(feedTopic('f1'));
    const postId = await publish('ann');
    await world.note(postId);
    const push = world.feed.cache.push;
    const refused = new Error('there is no lease on Redis');
    Object.assign(world.feed.cache, { push: () => Promise.reject(refused) });
    await expect(world.feed.runFanOuts('ann', silent)).rejects.toBe(refused);
    Object.assign(world.feed.cache, { push });
    let heard = await listener.next();
    while (heard?.kind === 'missed') heard = await listener.next();
    expect(heard).toMatchObject({ payload: { postId } });
    hub.close();
    await expect.poll(stalled, { timeout: 20_000 }).toEqual([postId]);
    await world.feed.runFanOuts('ann', silent);
    expect(await progressOf(postId)).toMatchObject({ done: true });
    expect(await keysOf(world.postgres, fanOutOutbox)).not.toContain(postId);
  });

  it("keeps an author's order, and leaves out what was deleted before it was its turn", async () => {
    await warm('f1');
    const postIds = [await publish('ann'), await publish('ann'), await publish('ann')];
    await world.note(...postIds);
    await world.feed.deletePost(callerOf('ann'), postIds[1]!);
    await world.feed.runFanOuts('ann', silent);
    expect(await feedOf('f1')).toEqual([postIds[2], postIds[0]]);
  });
});

it('forgets finished fan-outs after a day, and no other', async () => {
  const [done, waiting] = [await publish('ann'), await publish('ann')];
  await world.fanOut(done);
  await world.note(waiting);
  const forget = (hours: number) =>
    forgetFanOuts({ postgres: world.postgres, clock: { now: () => Date.now() + hours * 3_600_000 } }, 1);
  expect(await forget(23)).toBe(0);
  expect(await forget(25)).toBe(1);
  expect(await progressOf(done)).toBeUndefined();
  expect(await progressOf(waiting)).toMatchObject({ done: false });
});

describe('what was published', () => {
  it("is in its author's own feed, whatever its visibility", async () => {
    await warm('ann', 'star');
    const [secret, pulled] = [await publish('ann', 'private'), await publish('star')];
    await removeEach(world.redis, await keysLike(world.redis, '*feed*:ann'));
    await warm('ann');
    await world.fanOut(secret, pulled);
    expect(await feedOf('ann')).toEqual([secret]);
    expect(await feedOf('star')).toEqual([pulled]);
    expect(await progressOf(secret)).toBeUndefined();
  });

  it("is in its author's timeline where it is pulled, and only there", async () => {
    const { authorTimelines } = world.feed;
    const before = await publish('star');
    await authorTimelines.warm(['star']);
    const [pulled, secret] = [await publish('star'), await publish('star', 'private')];
    await world.note(pulled, secret);
    const read = await authorTimelines.read(['star', 'ann'], NOW_AND_LATER.at, 2);
    expect(read.get('star')?.places.map((place) => place.postId)).toEqual([pulled, before]);
    expect(read.get('ann')).toBeNull();
    expect(await progressOf(pulled)).toBeUndefined();
    await expect.poll(async () => (await authorTimelines.read(['ann'], 0, 1)).get('ann')).not.toBeNull();
  });
});

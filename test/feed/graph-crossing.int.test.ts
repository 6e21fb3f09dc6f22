import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FeedOrder } from '../../src/domains/feed/index.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { createChance } from './random.js';

/** One batch of a fan-out and a bit: a crossing can come between two of them. */
const FOLLOWERS = 150;
const ROUNDS = 8;
const READERS = ['ann', 'ben', 'late'] as const;

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld({ config: { celebrityFollowers: FOLLOWERS } });
  for (const userId of ['star', 'swing', ...READERS]) await world.feed.signIn(userId);
  for (const reader of READERS) await world.feed.followUser(callerOf(reader), 'star');
  await world.postgres.query(
    `WITH made AS (
       INSERT INTO users (user_id, display_name, last_seen_at)
       SELECT 'fan' || i, 'Fan', now() FROM generate_series(1, $1::int) i RETURNING id
     ), followed AS (
       INSERT INTO follows (follower_id, followee_id) SELECT id, (SELECT id FROM users WHERE user_id = 'star') FROM made
     ), counted AS (
       UPDATE follow_counts SET follower_count = follower_count + $1 WHERE user_id = (SELECT id FROM users WHERE user_id = 'star')
     )
     UPDATE users SET follower_count = follower_count + $1 WHERE user_id = 'star'`,
    [FOLLOWERS - READERS.length - 1],
  );
});
afterAll(() => world.close());

async function publish(content: string) {
  const published = await world.feed.publishPost(callerOf('star'), { content, visibility: 'public' });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  return published.value;
}

async function readAll(reader: string, order: FeedOrder, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let more = true; more; ) {
    const { edges, pageInfo } = await world.feed.readFeed(viewerOf(reader), {
      order,
      page: { limit, direction: 'forward', cursor },
    });
    seen.push(...edges.map((edge) => edge.node.content));
    cursor = pageInfo.endCursor;
    more = pageInfo.hasNextPage;
  }
  return seen;
}

it('loses and repeats no post of an author who becomes a celebrity, and stops being one, while posts are being fanned out', async () => {
  const chance = createChance();
  const pause = () => new Promise((resolve) => setTimeout(resolve, chance.int(6)));
  const published: string[] = [];
  const distributions = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const rises = round % 2 === 0;
    const before = await publish(`${round} before`);
    const swing = rises ? world.feed.followUser : world.feed.unfollowUser;
    // The fan-out runs, the author crosses, and his next post comes: in whatever order.
    const [, meanwhile] = await Promise.all([
      pause().then(() => world.fanOut(before.postId)),
      pause().then(async () => {
        await swing(callerOf('swing'), 'star');
        const changed = await world.feed.settleCelebrities();
        return changed.length > 0 ? publish(`${round} meanwhile`) : publish(`${round} unchanged`);
      }),
      pause().then(() => readAll('ann', 'LATEST', 10)),
    ]);
    expect(meanwhile.content).toBe(`${round} meanwhile`);
    const after = await publish(`${round} after`);
    await world.fanOut(meanwhile.postId, after.postId);
    for (const post of [before, meanwhile, after]) {
      published.unshift(post.content);
      distributions.add(post.distribution);
    }
    expect([before, meanwhile, after].map((post) => post.distribution)).toEqual(
      rises ? ['push', 'pull', 'pull'] : ['pull', 'push', 'push'],
    );
    if (chance.once(2)) await forgetAll(world.redis);
    for (const reader of ['ann', 'ben'] as const) {
      expect(await readAll(reader, 'LATEST', 1 + chance.int(12)), `seed ${chance.seed}`).toEqual(published);
    }
  }
  expect(await readAll('late', 'LATEST', 7), `seed ${chance.seed}`).toEqual(published);
  for (const reader of READERS) {
    const ranked = await readAll(reader, 'RANKED', 1 + chance.int(12));
    expect([...ranked].sort(), `seed ${chance.seed}`).toEqual([...published].sort());
  }
});

import type { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';
import { type ReadWorld, reading } from './read-world.js';

let world: FeedWorld;
let read: ReadWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
});
afterAll(() => world?.close());

/** How often it waited for Redis, and how many statements Postgres was asked, while `work` ran. */
async function watch(work: () => Promise<unknown>): Promise<{ roundTrips: number; statements: number }> {
  const { redis, postgres } = world;
  let flight = 0;
  let roundTrips = 0;
  let statements = 0;
  const send = redis.sendCommand;
  redis.sendCommand = function (this: Redis, ...args: Parameters<Redis['sendCommand']>) {
    // What is sent while something is on its way travels with it.
    if (flight === 0) roundTrips += 1;
    flight += 1;
    const answer = send.apply(this, args) as Promise<unknown>;
    const landed = () => {
      flight -= 1;
    };
    void Promise.resolve(args[0].promise).then(landed, landed);
    return answer;
  } as Redis['sendCommand'];
  const query = postgres.query;
  postgres.query = ((...args: Parameters<typeof query>) => {
    statements += 1;
    return query.apply(postgres, args);
  }) as typeof query;
  try {
    await work();
  } finally {
    redis.sendCommand = send;
    postgres.query = query;
  }
  return { roundTrips, statements };
}

it('a warm page asks Postgres nothing, and Redis as often whatever it holds', async () => {
  await read.signIn('ann', 'ben', 'star');
  await read.follow('ann', 'ben', 'star');
  const start = Date.now() - 3_600_000;
  for (const [count, candidates] of [
    [5, 6],
    [93, 100],
  ] as const) {
    await read.insert(
      'ben',
      Array.from({ length: count }, (_, i) => start + i * 1000 + count),
    );
    await read.insert('star', [start + count], { distribution: 'pull' });
    await forgetAll(world.redis);
    await read.page('ann', 'RANKED', 100);
    await expect.poll(() => world.feed.cache.read('ann', Date.now(), 1)).not.toBeNull();
    await expect
      .poll(async () => (await world.feed.authorTimelines.read(['star'], Date.now(), 1)).get('star'))
      .not.toBeNull();
    const { edges } = await read.page('ann', 'RANKED', 100);
    expect(edges).toHaveLength(candidates);
    const { roundTrips, statements } = await watch(() => read.page('ann', 'RANKED', 20));
    expect(statements).toBe(0);
    // Relations and the feed; author timelines of celebrities; posts; their authors and counts.
    // Three are seen where an answer that the page does not wait for is still on its way.
    expect(roundTrips).toBeLessThanOrEqual(4);
  }
});

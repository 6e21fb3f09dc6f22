import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Result } from '../../src/platform/errors.js';
import { heldLease } from '../support/held-lease.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

/** What runs inside of it is timed: where it takes long, Redis counts as unwritable. */
const timed = new AsyncLocalStorage<true>();
const statements: string[] = [];
let writes = 0;
let world: FeedWorld;

beforeAll(async () => {
  world = await openFeedWorld({
    lease(redis, { pool }) {
      const query = pool.query.bind(pool) as (...sent: unknown[]) => unknown;
      pool.query = ((...sent: unknown[]) => {
        if (timed.getStore()) statements.push(JSON.stringify(sent[0]));
        return query(...sent);
      }) as never;
      const lease = heldLease(redis);
      return {
        ...lease,
        invalidate: (keys, write) =>
          lease.invalidate(keys, (epoch) => {
            writes += 1;
            return timed.run(true, () => write(epoch));
          }),
      };
    },
  });
});
afterAll(() => world.close());

async function done<T>(result: Promise<Result<T>>): Promise<T> {
  const answer = await result;
  if (!answer.ok) throw new Error(JSON.stringify(answer.errors));
  return answer.value;
}

it('a slow Postgres is never taken for a Redis that takes no writes', async () => {
  const { feed } = world;
  const [ann, ben, star] = ['ann', 'ben', 'star'].map(callerOf);
  for (const userId of ['ann', 'ben', 'star']) await feed.signIn(userId);
  await feed.upsertProfile(ann!, { displayName: 'Ann' });
  await feed.followUser(ben!, 'ann');
  const { postId } = await done(feed.publishPost(ann!, { content: 'one', visibility: 'public' }));
  await done(feed.editPost(ann!, { postId, content: 'two' }));
  await done(feed.engagement.reactToPost(ben!, postId, 'LIKE'));
  await done(feed.engagement.removeReaction(ben!, postId));
  await feed.setMutedKeywords(ben!, ['word']);
  const first = { order: 'LATEST', page: { limit: 10, direction: 'forward', cursor: null } } as const;
  const { edges } = await feed.readFeed(viewerOf('ben'), first);
  await feed.markers.mark(viewerOf('ben'), edges[0]!.cursor);
  await world.postgres.query("UPDATE users SET is_celebrity = true WHERE user_id = 'star'");
  await done(feed.publishPost(star!, { content: 'pulled', visibility: 'public' }));
  expect(await world.redis.exists('tidings:pulled-authors')).toBe(1);
  await feed.muteUser(ben!, 'ann');
  await feed.blockUser(ben!, 'ann');
  await feed.unfollowUser(ben!, 'ann');
  await done(feed.deletePost(ann!, postId));
  expect(writes).toBeGreaterThan(10);
  expect(statements).toEqual([]);
});

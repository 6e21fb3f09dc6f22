import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createFanOutsDone } from '../../src/domains/feed/fan-out/done.js';
import { createMissedPosts } from '../../src/domains/feed/live/missed-posts.js';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';

let world: FeedWorld;

beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['reader', 'other', 'stranger', 'ann', 'ben']) await world.feed.signIn(userId);
  await world.feed.followUser(callerOf('reader'), 'ann');
  await world.feed.followUser(callerOf('other'), 'ben');
});
afterAll(() => world.close());

async function publish(author: string): Promise<{ postId: string; position: number }> {
  const result = await world.feed.publishPost(callerOf(author), { content: 'news', visibility: 'public' });
  if (!result.ok) throw new Error('refused');
  const { postId } = result.value;
  await world.note(postId);
  const { rows } = await world.postgres.query<{ position: number }>(
    'SELECT position FROM posts WHERE post_id = $1',
    [postId],
  );
  return { postId, position: rows[0]!.position };
}

it('each of many readers gets what they alone missed since their own cursor, by one statement', async () => {
  const [one, two] = [await publish('ann'), await publish('ann')];
  const three = await publish('ben');
  const query = vi.fn(world.postgres.query.bind(world.postgres));
  const missed = createMissedPosts({ postgres: { query } as never });
  const ids = async (userId: string, done: number, ...seen: number[]): Promise<string[]> =>
    (await missed.since(userId, { done, seen: new Set(seen) })).map(({ postId }) => postId);
  expect(
    await Promise.all([
      ids('reader', 0),
      ids('reader', 0, one.position),
      ids('reader', one.position, two.position),
      ids('other', 0),
      ids('stranger', 0),
      ids('nobody', 0),
    ]),
  ).toEqual([[one.postId, two.postId], [two.postId], [], [three.postId], [], []]);
  expect(query).toHaveBeenCalledOnce();
});

it('how far fan-outs are is read once for all who ask in one tick, and anew for the next', async () => {
  const query = vi.fn(world.postgres.query.bind(world.postgres));
  const fanOutsDone = createFanOutsDone({ postgres: { query } as never });
  await Promise.all(Array.from({ length: 500 }, () => fanOutsDone.upTo()));
  expect(query).toHaveBeenCalledOnce();
  await fanOutsDone.upTo();
  expect(query).toHaveBeenCalledTimes(2);
});

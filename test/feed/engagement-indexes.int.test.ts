import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql as audienceSql } from '../../src/domains/feed/engagement/notices/audience.sql.js';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';
import { costOf } from './statement-cost.js';

const { published } = audienceSql;

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
});
afterAll(() => world?.close());

it('reads the thousand close friends who are notified of a post, not all of them', async () => {
  const { feed, postgres } = world;
  await feed.signIn('star');
  await postgres.query(
    "INSERT INTO users (user_id, display_name) SELECT 'friend' || n, 'f' FROM generate_series(1, 30000) n",
  );
  await postgres.query(
    `INSERT INTO follows (follower_id, followee_id) SELECT f.id, s.id FROM users f, users s
     WHERE f.user_id LIKE 'friend%' AND s.user_id = 'star'`,
  );
  await postgres.query(
    `INSERT INTO close_friends (user_id, friend_id, created_at)
     SELECT follower_id, followee_id, now() + follower_id * interval '1 ms' FROM follows`,
  );
  const post = await feed.publishPost(callerOf('star'), { content: 'hello', visibility: 'public' });
  if (!post.ok) throw new Error(JSON.stringify(post.errors));
  await postgres.query('VACUUM ANALYZE');
  const cost = await costOf(postgres, published, [['star'], [post.value.postId]]);
  expect(cost.rowsOf('close_friends')).toBeLessThan(2_000);
});

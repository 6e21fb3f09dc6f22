import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedOrder, FeedPage, FeedRequest } from '../../src/domains/feed/index.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
});
afterAll(() => world.close());

const page = (limit: number, cursor: string | null = null, order: FeedOrder = 'LATEST'): FeedRequest => ({
  order,
  page: { limit, direction: 'forward', cursor },
});

async function signIn(...userIds: string[]): Promise<void> {
  for (const userId of userIds) await world.feed.signIn(userId);
}

async function publish(
  author: string,
  content: string,
  visibility: 'public' | 'followers' | 'private' = 'public',
) {
  const result = await world.feed.publishPost(callerOf(author), { content, visibility });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

async function readAll(reader: string, limit: number, order: FeedOrder = 'LATEST'): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const connection: FeedPage = await world.feed.readFeed(viewerOf(reader), page(limit, cursor, order));
    seen.push(...connection.edges.map((edge) => edge.node.postId));
    if (!connection.pageInfo.hasNextPage) return seen;
    cursor = connection.pageInfo.endCursor;
  }
}

describe('the home feed', () => {
  it('shows own posts and those of whom the reader follows now, newest first', async () => {
    await signIn('ann', 'ben', 'cat');
    await world.feed.followUser(callerOf('ann'), 'ben');
    const first = await publish('ben', 'from ben');
    const own = await publish('ann', 'from myself');
    await publish('cat', 'from a stranger');
    await world.fanOut(first.postId, own.postId);
    expect(await readAll('ann', 20)).toEqual([own.postId, first.postId]);
  });

  it('shows nothing of an author from the moment of the unfollow, even where the cache still holds it', async () => {
    await signIn('dan', 'eve');
    await world.feed.followUser(callerOf('dan'), 'eve');
    await readAll('dan', 20);
    const post = await publish('eve', 'soon unfollowed');
    await expect.poll(() => world.feed.cache.read('dan', Number.MAX_SAFE_INTEGER, 10)).not.toBeNull();
    await world.fanOut(post.postId);
    expect(await readAll('dan', 20)).toEqual([post.postId]);
    await world.feed.unfollowUser(callerOf('dan'), 'eve');
    await world.feed.cache.build('dan', async () => ({
      places: [{ at: post.createdAt.getTime(), postId: post.postId }],
      completeFrom: { at: 0, postId: '00000000-0000-0000-0000-000000000000' },
    }));
    expect(await readAll('dan', 20)).toEqual([]);
  });

  it("keeps private posts to their author, and followers' posts to followers", async () => {
    await signIn('fay', 'gus', 'hal');
    await world.feed.followUser(callerOf('gus'), 'fay');
    const secret = await publish('fay', 'for me', 'private');
    const close = await publish('fay', 'for followers', 'followers');
    await world.fanOut(secret.postId, close.postId);
    expect(await readAll('gus', 20)).toEqual([close.postId]);
    expect(await readAll('fay', 20)).toEqual([close.postId, secret.postId]);
    const toStranger = await world.feed.findVisiblePosts(viewerOf('hal'), [secret.postId, close.postId]);
    expect([...toStranger.keys()]).toEqual([]);
    const toFollower = await world.feed.findVisiblePosts(viewerOf('gus'), [secret.postId, close.postId]);
    expect([...toFollower.keys()]).toEqual([close.postId]);
  });

  it("merges a celebrity's posts without pushing them", async () => {
    await signIn('ida', 'star');
    await world.postgres.query("UPDATE users SET is_celebrity = true WHERE user_id = 'star'");
    await world.feed.followUser(callerOf('ida'), 'star');
    await readAll('ida', 20);
    const posts = [];
    for (let i = 0; i < 12; i += 1) posts.push((await publish('star', `show ${i}`)).postId);
    await world.fanOut(...posts);
    expect(
      (await world.postgres.query('SELECT FROM fanouts WHERE post_id = ANY ($1)', [posts])).rowCount,
    ).toBe(0);
    expect(await readAll('ida', 5)).toEqual(posts.toReversed());
  });

  it('goes on past what the cache holds, with the same cursor and no seam', async () => {
    await signIn('jon', 'kim');
    await world.feed.followUser(callerOf('jon'), 'kim');
    const author = await world.postgres.query<{ id: number }>("SELECT id FROM users WHERE user_id = 'kim'");
    // 700 posts, seven to a millisecond, so that pages end in the middle of one.
    await world.postgres.query(
      `INSERT INTO posts (post_id, author_id, content, position, created_at)
       SELECT gen_random_uuid(), $1, 'old', 0, to_timestamp(1700000000 + (n / 7) / 1000.0) FROM generate_series(1, 700) n`,
      [author.rows[0]!.id],
    );
    const expected = await world.postgres.query<{ post_id: string }>(
      'SELECT post_id FROM posts WHERE author_id = $1 ORDER BY created_at DESC, post_id DESC',
      [author.rows[0]!.id],
    );
    const ids = expected.rows.map((row) => row.post_id);
    expect(await readAll('jon', 37)).toEqual(ids);
    await expect.poll(() => world.feed.cache.read('jon', Number.MAX_SAFE_INTEGER, 1)).not.toBeNull();
    expect(await readAll('jon', 37)).toEqual(ids);
  });

  it('refuses a cursor that it did not give', async () => {
    for (const cursor of ['', 'x', 'W10', Buffer.from('["a",1]').toString('base64url')]) {
      await expect(world.feed.readFeed(viewerOf('ann'), page(20, cursor))).rejects.toMatchObject({
        code: 'BAD_CURSOR',
      });
    }
  });

  it('shows every eligible post exactly once, whatever the page size, and whenever the cache is lost', async () => {
    const authors = ['p0', 'p1', 'p2'];
    const reader = 'reader';
    await signIn(reader, ...authors);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const), author: fc.nat(2) }) },
      fc.record({ do: fc.constantFrom('follow' as const, 'unfollow' as const), author: fc.nat(2) }),
      fc.record({ do: fc.constantFrom('read' as const, 'flush' as const), author: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        async (steps, limit) => {
          await world.postgres.query('TRUNCATE posts, fanouts, follows');
          await forgetAll(world.redis);
          const follows = new Set<string>();
          const posts: { postId: string; author: string }[] = [];
          for (const { do: action, author } of steps) {
            const name = authors[author]!;
            if (action === 'publish') {
              const { postId } = await publish(name, 'hello');
              posts.unshift({ postId, author: name });
              await world.fanOut(postId);
            } else if (action === 'follow') {
              await world.feed.followUser(callerOf(reader), name);
              follows.add(name);
            } else if (action === 'unfollow') {
              await world.feed.unfollowUser(callerOf(reader), name);
              follows.delete(name);
            } else if (action === 'flush') await forgetAll(world.redis);
            else await readAll(reader, limit);
          }
          const eligible = posts.filter((post) => follows.has(post.author)).map((post) => post.postId);
          expect(await readAll(reader, limit)).toEqual(eligible);
          expect((await readAll(reader, limit, 'RANKED')).toSorted()).toEqual(eligible.toSorted());
          expect(await readAll(reader, limit)).toEqual(eligible);
        },
      ),
      { numRuns: 20 },
    );
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Queryable, Statement } from '../../src/platform/postgres/postgres.js';
import { isCluster, openRedis } from '../../src/platform/redis/redis.js';
import { forgetAll, keysLike } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import type { Gate } from './posts-interleavings.js';
import { authorsOf, ids, insertPost, storeOf } from './posts-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben']) await world.feed.signIn(userId);
});
afterAll(() => world.close());

/** What a piece of work asks of Postgres and Redis: statements by name, and how many commands. */
async function asked(work: () => Promise<unknown>): Promise<{ statements: string[]; commands: number }> {
  const query = vi.spyOn(world.postgres as Queryable, 'query');
  const command = vi.spyOn(world.redis, 'sendCommand');
  try {
    await work();
    const statements = query.mock.calls.map(([statement]) => (statement as Statement).name);
    return { statements, commands: command.mock.calls.length };
  } finally {
    query.mockRestore();
    command.mockRestore();
  }
}

const publish = async (content: string): Promise<string> => {
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
  if (!result.ok) throw new Error(result.errors[0]!.code);
  return result.value.postId;
};
const contentOf = async (postId: string): Promise<string | undefined> =>
  (await world.feed.findVisiblePosts(null, [postId])).get(postId)?.content;

describe('post objects', () => {
  it('cost the same few round trips and no SQL once they are warm, however many are asked for', async () => {
    const posts = await Promise.all(Array.from({ length: 100 }, (_, n) => publish(`post ${n}`)));
    await world.feed.findVisiblePosts(null, posts);
    const few = await asked(() => world.feed.findVisiblePosts(null, posts.slice(0, 5)));
    const many = await asked(async () =>
      expect((await world.feed.findVisiblePosts(null, posts)).size).toBe(100),
    );
    expect(many.statements).toEqual([]);
    expect(few.statements).toEqual([]);
    // On a Cluster each is a command, in the same few writes to its nodes.
    if (isCluster(world.redis)) return;
    expect(many.commands).toBe(few.commands);
    expect(many.commands).toBeLessThanOrEqual(3);
  });

  it('are right after Redis has lost everything', async () => {
    const [kept, deleted] = [await publish('kept'), await publish('deleted')];
    await world.feed.deletePost(callerOf('ann'), deleted);
    await forgetAll(world.redis);
    expect([await contentOf(kept), await contentOf(deleted)]).toEqual(['kept', undefined]);
  });

  it('are read by one of many who miss them at once', async () => {
    const postId = await insertPost(world, 'ann', 'wanted');
    const seen = await asked(async () => {
      const reads = Array.from({ length: 50 }, () => world.feed.findVisiblePosts(null, [postId]));
      for (const found of await Promise.all(reads)) expect(found.get(postId)?.content).toBe('wanted');
    });
    expect(seen.statements.filter((name) => name === 'post-objects.findObjects')).toHaveLength(1);
  });

  it('are not waited for without end where the process that fills them has died', async () => {
    const postId = await insertPost(world, 'ann', 'left behind');
    let steps = 0;
    const dying = storeOf(world, async () => {
      steps += 1;
      // It has looked and laid its claim.
      if (steps === 3) throw new Error('died');
    });
    await expect(dying.find([postId])).rejects.toThrow('died');
    expect((await storeOf(world).find([postId]))[0]?.content).toBe('left behind');
  });

  it('remember for a while which ids are none, and forget it when one is published', async () => {
    const [nobody] = [ids.next()];
    expect((await world.feed.findVisiblePosts(null, [nobody, 'no id', ''])).size).toBe(0);
    const again = await asked(() => world.feed.findVisiblePosts(null, [nobody]));
    expect(again.statements).toEqual([]);
    await world.postgres.query(
      `INSERT INTO posts (post_id, author_id, content, distribution, position, version, created_at)
       SELECT $1, id, 'there now', 'push', 1, 1, now() FROM users WHERE user_id = 'ann'`,
      [nobody],
    );
    await world.feed.refreshPosts([nobody]);
    expect(await contentOf(nobody)).toBe('there now');
  });

  it('live for seven days, a tombstone for one', async () => {
    const [living, deleted] = [await publish('living'), await publish('deleted')];
    await world.feed.deletePost(callerOf('ann'), deleted);
    const ttl = async (postId: string): Promise<number> =>
      Math.round(
        (await world.redis.ttl((await keysLike(world.redis, `tidings:post:*:${postId}`))[0]!)) / 3_600,
      );
    expect([await ttl(living), await ttl(deleted)]).toEqual([168, 24]);
  });

  it('come from Postgres while Redis is away, and nothing is called refreshed that was not', async () => {
    const postId = await publish('still there');
    const redis = openRedis(['redis://127.0.0.1:1'], () => undefined);
    try {
      const lost = { ...world, redis };
      expect((await storeOf(lost).find([postId]))[0]?.content).toBe('still there');
      expect((await authorsOf(lost, Date.now).find(['ann'])).get('ann')?.userId).toBe('ann');
      await expect(storeOf(lost).refresh([postId])).rejects.toThrow();
    } finally {
      redis.disconnect();
    }
  });

  it('are never replaced by older ones, as a lagging Postgres may still have them', async () => {
    const postId = await publish('first');
    await world.feed.editPost(callerOf('ann'), { postId, content: 'second' });
    await world.postgres.query(`UPDATE posts SET content = 'first', version = 1 WHERE post_id = $1`, [
      postId,
    ]);
    await world.feed.refreshPosts([postId]);
    const [key] = await keysLike(world.redis, `tidings:post:*:${postId}`);
    expect(await world.redis.get(key!)).toMatch(/^~/);
  });
});

it('come from Postgres where Redis was replaced by an older copy of itself while it was asked', async () => {
  let now = 'this life of it';
  const epoch = { current: async () => now };
  const postId = await insertPost(world, 'ann', 'before');
  const contentOf = async (gate?: Gate) => (await storeOf(world, gate, epoch).find([postId]))[0]?.content;
  expect(await contentOf()).toBe('before');
  await world.postgres.query(`UPDATE posts SET content = 'after', version = version + 1 WHERE post_id = $1`, [
    postId,
  ]);
  expect(await contentOf()).toBe('before');
  expect(
    await contentOf(async () => {
      now = 'another life';
    }),
  ).toBe('after');
});

describe('author summaries', () => {
  it('change at once for everybody when the profile does', async () => {
    const postId = await publish('by whom?');
    await world.feed.upsertProfile(callerOf('ann'), { displayName: 'Ann the Second' });
    const post = (await world.feed.findVisiblePosts(viewerOf('ben'), [postId])).get(postId);
    expect(post?.author.displayName).toBe('Ann the Second');
  });

  it('are answered stale for a day at most, and read anew meanwhile by one', async () => {
    let now = 1_800_000_000_000;
    const authors = authorsOf(world, () => now);
    await authors.forget(['ben']);
    await authors.find(['ben']);
    await world.postgres.query(`UPDATE users SET follower_count = 7 WHERE user_id = 'ben'`);
    expect((await authors.find(['ben'])).get('ben')?.followerCount).toBe(0);
    now += 61_000;
    const stale = await asked(() => Promise.all(Array.from({ length: 20 }, () => authors.find(['ben']))));
    expect(stale.statements.length).toBeLessThanOrEqual(1);
    await vi.waitFor(
      async () => expect((await authors.find(['ben'])).get('ben')?.followerCount).toBe(7),
      15_000,
    );
  });

  it('do not come back from a reading that began before they were forgotten', async () => {
    const authors = authorsOf(world, Date.now);
    await authors.find(['ben']);
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await world.postgres.query(`UPDATE users SET display_name = $1 WHERE user_id = 'ben'`, [`Ben ${n}`]);
        await Promise.all([authors.forget(['ben']), authors.find(['ben'])]);
      }),
    );
    const { rows } = await world.postgres.query<{ display_name: string }>(
      `SELECT display_name FROM users WHERE user_id = 'ben'`,
    );
    await vi.waitFor(
      async () => expect((await authors.find(['ben'])).get('ben')?.displayName).toBe(rows[0]!.display_name),
      15_000,
    );
  });
});

it('keep their own counts and authors where one among them is gone, or its author', async () => {
  const posts = [
    await insertPost(world, 'ann', 'first'),
    await insertPost(world, 'ben', 'nobody’s'),
    ids.next(),
  ];
  posts.push(await insertPost(world, 'ann', 'last'));
  const likes = new Map(posts.map((postId, n) => [postId, n + 1]));
  const store = storeOf(world, undefined, undefined, {
    of: async (postIds) => postIds.map((postId) => countsWith(likes.get(postId)!)),
  });
  const found = await store.find(posts);
  expect(found.map((post) => post && [post.content, post.author.userId, post.likeCount])).toEqual([
    ['first', 'ann', 1],
    undefined,
    undefined,
    ['last', 'ann', 4],
  ]);
});

const countsWith = (likes: number) => ({
  reactions: { LIKE: likes, LOVE: 0, HAHA: 0, WOW: 0, SAD: 0, ANGRY: 0 },
  comments: 0,
  shares: 0,
});

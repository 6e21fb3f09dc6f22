import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { ids } from './posts-world.js';

let world: FeedWorld;
let now = Date.now();
beforeAll(async () => {
  world = await openFeedWorld({ clock: { now: () => now } });
  for (const userId of ['ann', 'ben']) await world.feed.signIn(userId);
});
afterAll(() => world.close());
beforeEach(() => {
  now = Math.max(now, Date.now());
});

async function upload(ownerId: string, state = 'ready'): Promise<string> {
  const mediaId = ids.next();
  await world.postgres.query(
    `INSERT INTO media (media_id, owner_id, kind, state, content_type, bytes, storage_key, failure_reason, renditions)
     SELECT m, $2, 'image', $3, 'image/png', 1, m || '/full.webp', 'IMAGE_UNREADABLE',
       jsonb_build_array(jsonb_build_object('name', '150', 'width', 150, 'height', 100, 'key', m || '/150.webp'))
     FROM (SELECT $1::uuid AS m) AS id`,
    [mediaId, ownerId, state],
  );
  return mediaId;
}

const publish = (mediaIds: readonly string[], content = '') =>
  world.feed.publishPost(callerOf('ann'), { content, visibility: 'public', mediaIds });

async function post(mediaIds: readonly string[], content = 'a post'): Promise<string> {
  const result = await publish(mediaIds, content);
  if (!result.ok) throw new Error(result.errors[0]!.code);
  return result.value.postId;
}

const see = async (postId: string) =>
  (await world.feed.findVisiblePosts(viewerOf('ben'), [postId])).get(postId);

const count = async (table: string, postId: string): Promise<number> =>
  (await world.postgres.query(`SELECT FROM ${table} WHERE post_id = $1`, [postId])).rowCount ?? 0;

describe('a post that shows nothing', () => {
  it('since all its media failed is there for its author alone, until it has words', async () => {
    await world.feed.followUser(callerOf('ben'), 'ann');
    const mediaId = await upload('ann', 'processing');
    const postId = await post([mediaId], '');
    await world.fanOut(postId);
    const isSeenBy = async (userId: string) => {
      const viewer = viewerOf(userId);
      const page = { limit: 100, cursor: null, direction: 'forward' as const };
      const [byId, feed, [list]] = await Promise.all([
        world.feed.findVisiblePosts(viewer, [postId]),
        world.feed.readFeed(viewer, { order: 'LATEST', page }),
        world.feed.pageAuthorPosts(viewer, ['ann'], page),
      ]);
      const isIn = (edges: readonly { node: { postId: string } }[]) =>
        edges.some(({ node }) => node.postId === postId);
      return [byId.has(postId), isIn(feed.edges), isIn(list!.edges)];
    };
    expect(await isSeenBy('ben')).toEqual([true, true, true]);
    await world.postgres.query("UPDATE media SET state = 'failed' WHERE media_id = $1", [mediaId]);
    await world.feed.refreshPosts([postId]);
    expect(await isSeenBy('ben')).toEqual([false, false, false]);
    expect(await isSeenBy('ann')).toEqual([true, true, true]);
    const like = await world.feed.engagement.reactToPost(callerOf('ben'), postId, 'LIKE');
    expect(like).toMatchObject({ ok: false, errors: [{ code: 'NOT_FOUND' }] });
    await world.feed.editPost(callerOf('ann'), { postId, content: 'There was a picture here' });
    expect(await isSeenBy('ben')).toEqual([true, true, true]);
  });

  it('cannot be written with invisible characters, nor commented so', async () => {
    const invisible = '\u200b\u3164\ufe0f';
    expect(await publish([], invisible)).toMatchObject({ errors: [{ code: 'CONTENT_EMPTY' }] });
    const postId = await post([], 'cafe\u0301');
    expect((await see(postId))?.content).toBe('caf\u00e9');
    expect(await world.feed.editPost(callerOf('ann'), { postId, content: invisible })).toMatchObject({
      errors: [{ code: 'CONTENT_EMPTY' }],
    });
    expect(
      await world.feed.engagement.addComment(callerOf('ben'), { postId, content: invisible }),
    ).toMatchObject({ errors: [{ code: 'CONTENT_EMPTY' }] });
    const shared = await world.feed.sharePost(callerOf('ben'), { postId, content: invisible });
    expect(shared).toMatchObject({ ok: true, value: { content: '' } });
  });
});

describe('media of a post', () => {
  it('come in the order that was given, by URLs of the CDN; one that comes twice comes once', async () => {
    const [one, two] = [await upload('ann'), await upload('ann', 'processing')];
    const seen = await see(await post([two, one, two], ''));
    expect(seen?.media.map(({ mediaId, state }) => [mediaId, state])).toEqual([
      [two, 'processing'],
      [one, 'ready'],
    ]);
    expect(seen?.mediaUrls).toEqual([`https://cdn.test/${one}/full.webp`]);
    expect(seen?.media[1]?.renditions[0]?.url).toBe(`https://cdn.test/${one}/150.webp`);
  });

  it('may stand under words that others have: a feed shows both', async () => {
    const words = 'Good morning to everybody from our balcony';
    await world.feed.followUser(callerOf('ben'), 'ann');
    const pictures = [await post([await upload('ann')], words), await post([await upload('ann')], words)];
    await world.fanOut(...pictures);
    const page = { limit: 100, cursor: null, direction: 'forward' as const };
    const { edges } = await world.feed.readFeed(viewerOf('ben'), { order: 'LATEST', page });
    const shown = edges.map(({ node }) => node.postId);
    expect(shown.filter((postId) => pictures.includes(postId)).toSorted()).toEqual(pictures.toSorted());
  });

  it('are shown as they are once they have finished', async () => {
    const media = await upload('ann', 'processing');
    const postId = await post([media]);
    expect((await see(postId))?.mediaUrls).toEqual([]);
    await world.postgres.query(`UPDATE media SET state = 'ready' WHERE media_id = $1`, [media]);
    await world.feed.refreshPosts(await world.feed.media.postsHolding([media]));
    expect((await see(postId))?.mediaUrls).toHaveLength(1);
  });

  it.each([
    ['another’s', () => upload('ben'), 'MEDIA_NOT_FOUND'],
    ['one that is not there', async () => ids.next(), 'MEDIA_NOT_FOUND'],
    ['one that still arrives', () => upload('ann', 'receiving'), 'MEDIA_NOT_FOUND'],
    ['one that is being removed', () => upload('ann', 'removing'), 'MEDIA_NOT_FOUND'],
    ['one that could not be processed', () => upload('ann', 'failed'), 'MEDIA_FAILED'],
  ])('are refused where one is %s, and no post is written', async (_, bad, code) => {
    const { rows: before } = await world.postgres.query('SELECT count(*) FROM posts');
    const mediaIds = [await upload('ann'), await bad()];
    expect(await publish(mediaIds, 'text')).toMatchObject({
      ok: false,
      errors: [{ code, path: ['input', 'mediaIds', '1'] }],
    });
    expect((await world.postgres.query('SELECT count(*) FROM posts')).rows).toEqual(before);
  });
});

describe('a deleted post', () => {
  it('goes after a day, with all that belongs to it, and not before', async () => {
    const [own, shared] = [await upload('ann'), await upload('ann')];
    const postId = await post([own, shared]);
    const other = await post([shared], 'holds one too');
    await world.feed.editPost(callerOf('ann'), { postId, content: 'changed' });
    await world.feed.engagement.reactToPost(callerOf('ben'), postId, 'LOVE');
    await world.feed.engagement.addComment(callerOf('ben'), { postId, content: 'nice' });
    await world.feed.deletePost(callerOf('ann'), postId);
    const removed: string[] = [];
    const purge = () => world.feed.purgePosts(async (mediaIds) => void removed.push(...mediaIds));

    now += 23 * 3_600_000;
    expect(await purge()).toBe(0);
    expect(await count('posts', postId)).toBe(1);

    now += 3_660_000;
    expect(await purge()).toBe(1);
    for (const table of ['posts', 'post_edits', 'reactions', 'comments', 'post_count_deltas']) {
      expect(await count(table, postId), table).toBe(0);
    }
    expect(removed).toEqual([own]);
    expect((await see(other))?.media).toHaveLength(1);
    expect(await purge()).toBe(0);
  });

  it('leaves no file that no sweep finds where the purge is killed between its steps', async () => {
    const media = await upload('ann');
    const postId = await post([media]);
    await world.feed.deletePost(callerOf('ann'), postId);
    now += 25 * 3_600_000;
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    void world.feed.purgePosts(() => new Promise(() => die()));
    await died;
    const { rows } = await world.postgres.query('SELECT state FROM media WHERE media_id = $1', [media]);
    expect(rows).toEqual([{ state: 'removing' }]);
    expect(await world.feed.purgePosts(async () => undefined)).toBe(1);
    expect(await count('posts', postId)).toBe(0);
  });

  it('goes on time where files cannot be removed: a sweep finds them', async () => {
    const media = await upload('ann');
    const posts = [await post([media]), await post([])];
    for (const postId of posts) await world.feed.deletePost(callerOf('ann'), postId);
    now += 25 * 3_600_000;
    const purge = world.feed.purgePosts(async () => {
      throw new Error('the store is away');
    });
    await expect(purge).rejects.toThrow('the store is away');
    for (const postId of posts) expect(await count('posts', postId)).toBe(0);
    const { rows } = await world.postgres.query('SELECT state FROM media WHERE media_id = $1', [media]);
    expect(rows).toEqual([{ state: 'removing' }]);
  });

  it('goes once, though two workers purge at once and more are deleted than one batch holds', async () => {
    const posts = 1_200;
    await world.postgres.query(
      `INSERT INTO posts (post_id, author_id, content, distribution, position, version, created_at, deleted_at)
       SELECT gen_random_uuid(), (SELECT id FROM users WHERE user_id = 'ann'), 'old', 'push', n, n, $2, $2
       FROM generate_series(1, $1::int) AS n`,
      [posts, new Date(now)],
    );
    now += 25 * 3_600_000;
    const purges = [1, 2].map(() => world.feed.purgePosts(async () => undefined));
    const removed = await Promise.all(purges);
    const rest = await world.feed.purgePosts(async () => undefined);
    expect(removed[0]! + removed[1]! + rest).toBe(posts);
  });
});

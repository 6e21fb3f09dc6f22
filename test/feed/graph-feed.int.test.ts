import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
});
afterAll(() => world.close());

async function read(reader: string): Promise<string[]> {
  const { edges } = await world.feed.readFeed(viewerOf(reader), {
    order: 'LATEST',
    page: { limit: 20, direction: 'forward', cursor: null },
  });
  return edges.map((edge) => edge.node.content);
}

/** An author's post, and a friend's reshare of it, in the feed of a reader who follows both. */
async function meet(name: string) {
  const [reader, author, friend] = [`${name}-reader`, `${name}-author`, `${name}-friend`];
  for (const userId of [reader, author, friend]) await world.feed.signIn(userId);
  for (const followee of [author, friend]) await world.feed.followUser(callerOf(reader), followee);
  const post = await world.feed.publishPost(callerOf(author), { content: 'post', visibility: 'public' });
  if (!post.ok) throw new Error(JSON.stringify(post.errors));
  const share = await world.feed.sharePost(callerOf(friend), {
    postId: post.value.postId,
    content: 'reshare',
  });
  if (!share.ok) throw new Error(JSON.stringify(share.errors));
  await world.fanOut(post.value.postId, share.value.postId);
  expect(await read(reader)).toEqual(['reshare', 'post']);
  return { reader, author, friend };
}

describe('a reader’s next page', () => {
  for (const emptied of [false, true]) {
    const where = emptied ? ', also where Redis forgets everything in between' : '';
    const forget = () => (emptied ? forgetAll(world.redis) : undefined);

    it(`leaves out muted users, reshares too, and has their posts back after unmuting${where}`, async () => {
      const { reader, author } = await meet(`mute${emptied}`);
      await world.feed.muteUser(callerOf(reader), author);
      await forget();
      expect(await read(reader)).toEqual([]);
      await world.feed.unmuteUser(callerOf(reader), author);
      expect(await read(reader)).toEqual(['reshare', 'post']);
    });

    it(`leaves out users who are blocked either way, and has their posts back afterwards${where}`, async () => {
      const { reader, author } = await meet(`block${emptied}`);
      for (const [blocker, blocked] of [
        [reader, author],
        [author, reader],
      ] as const) {
        await world.feed.blockUser(callerOf(blocker), blocked);
        await forget();
        expect(await read(reader)).toEqual([]);
        await world.feed.unblockUser(callerOf(blocker), blocked);
        expect(await read(reader)).toEqual(['reshare', 'post']);
      }
    });

    it(`leaves out users after an unfollow, and has their posts back after following again${where}`, async () => {
      const { reader, author } = await meet(`unfollow${emptied}`);
      await world.feed.unfollowUser(callerOf(reader), author);
      await forget();
      // What a friend whom he follows reshares is that friend's post.
      expect(await read(reader)).toEqual(['reshare']);
      await world.feed.followUser(callerOf(reader), author);
      expect(await read(reader)).toEqual(['reshare', 'post']);
    });
  }

  it('leaves out posts with a muted keyword', async () => {
    const { reader } = await meet('keyword');
    await world.feed.setMutedKeywords(callerOf(reader), ['RESHARE']);
    expect(await read(reader)).toEqual(['post']);
    await world.feed.setMutedKeywords(callerOf(reader), []);
    expect(await read(reader)).toEqual(['reshare', 'post']);
  });
});

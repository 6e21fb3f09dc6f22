import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Connection, encodeCursor, type PageRequest } from '../../src/platform/paging.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';

let world: FeedWorld;
let postId: string;
const ann = viewerOf('ann');

beforeAll(async () => {
  world = await openFeedWorld();
  const { feed } = world;
  for (const userId of ['ann', 'ben', 'cat', 'dan', 'eve']) await feed.signIn(userId);
  const published = await feed.publishPost(callerOf('ann'), { content: 'hi', visibility: 'public' });
  if (!published.ok) throw new Error(JSON.stringify(published.errors));
  postId = published.value.postId;
  await feed.followUser(callerOf('ann'), 'ben');
  await feed.followUser(callerOf('ben'), 'ann');
  await feed.muteUser(callerOf('ann'), 'dan');
  await feed.blockUser(callerOf('ann'), 'eve');
  await feed.engagement.reactToPost(callerOf('ben'), postId, 'LIKE');
  await feed.engagement.addComment(callerOf('ben'), { postId, content: 'hello' });
});
afterAll(() => world.close());

type List = (page: PageRequest) => Promise<Connection<unknown> | undefined>;
const lists: Record<string, List> = {
  followers: async (page) => (await world.feed.pageFollows('followers', ann, ['ann'], page))[0],
  following: async (page) => (await world.feed.pageFollows('following', ann, ['ann'], page))[0],
  muted: (page) => world.feed.pageOwnList('muted', ann, page),
  blocked: (page) => world.feed.pageOwnList('blocked', ann, page),
  found: (page) => world.feed.searchUsers(ann, 'ben', page),
  reactions: async (page) => (await world.feed.engagement.pageReactions(ann, [postId], null, page))[0],
  comments: async (page) => (await world.feed.engagement.pageComments(ann, 'posts', [postId], page))[0],
  posts: async (page) => (await world.feed.pageAuthorPosts(ann, ['ann'], page))[0],
};
const names = Object.keys(lists);
const read = (list: string, cursor: string | null) =>
  lists[list]!({ limit: 1, direction: 'forward', cursor });
async function cursorOf(list: string): Promise<string> {
  const page = await read(list, null);
  return page!.pageInfo.endCursor!;
}

describe.each(names)('the list of %s', (list) => {
  it('goes on after its own cursor', async () => {
    expect(await read(list, await cursorOf(list))).toMatchObject({ edges: [] });
  });

  it('refuses the cursors of all other lists', async () => {
    for (const other of names.filter((name) => name !== list))
      await expect(read(list, await cursorOf(other)), other).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('refuses a time and an id without its name, as lists elsewhere give them', async () => {
    for (const id of [postId, 1])
      await expect(read(list, encodeCursor(Date.now(), id))).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('refuses what is empty, no cursor at all, or its own written another way', async () => {
    const own = await cursorOf(list);
    const spaced = Buffer.from(` ${Buffer.from(own, 'base64url')}`).toString('base64url');
    for (const cursor of ['', 'forged', `${own}=`, `${own}!`, ` ${own}`, own.slice(0, -2), spaced])
      await expect(read(list, cursor), cursor).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });
});

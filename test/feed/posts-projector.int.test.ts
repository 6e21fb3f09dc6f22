import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/platform/event-log/index.js';
import { createPostsProjector } from '../../src/projectors/feed.js';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';
import { ids } from './posts-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  for (const userId of ['ann', 'ben']) await world.feed.signIn(userId);
});
afterAll(() => world.close());

const publish = async (content: string): Promise<string> => {
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
  if (!result.ok) throw new Error(result.errors[0]!.code);
  return result.value.postId;
};
const contentOf = async (postId: string): Promise<string | undefined> =>
  (await world.feed.findVisiblePosts(null, [postId])).get(postId)?.content;

/** The command of a process that dies between its commit and its caches. */
const commitOnly = (type: string, projection: string, postId: string, more: object) =>
  world.log.append({
    appends: [
      {
        streamId: `Post-${postId}`,
        expected: 'any',
        events: [{ type, data: { postId, authorId: 'ann', content: '', visibility: 'public', version: 1 } }],
      },
    ],
    metadata: { correlationId: 'x', causationId: 'x' },
    inlineProjection: { name: projection, args: { postId, ...more } },
  });

const eventsOf = async (postId: string): Promise<readonly RecordedEvent[]> =>
  await world.log.readStream(`Post-${postId}`);

const project = async (postId: string): Promise<unknown> =>
  createPostsProjector(world).apply(await eventsOf(postId), world.postgres);

describe('the projector of posts', () => {
  it('makes an edit seen whose command died before it could', async () => {
    const postId = await publish('before');
    await commitOnly('PostEdited', 'edit_post', postId, {
      editorId: 'ann',
      content: 'after',
      labels: [],
      fingerprint: null,
    });
    expect(await contentOf(postId)).toBe('before');
    await project(postId);
    expect(await contentOf(postId)).toBe('after');
  });

  it('hides a post whose delete died before it could; doing it again changes nothing', async () => {
    const postId = await publish('still here');
    await commitOnly('PostDeleted', 'delete_post', postId, { userId: 'ann', isAdmin: false });
    await project(postId);
    await project(postId);
    expect(await contentOf(postId)).toBeUndefined();
  });

  it('makes readers know an author whose posts are pulled from now on', async () => {
    await world.postgres.query(`UPDATE users SET is_celebrity = true WHERE user_id = 'ann'`);
    await world.feed.followUser(callerOf('ben'), 'ann');
    expect((await world.feed.relations.of('ben')).pulled).toEqual([]);
    const postId = ids.next();
    const post = { postId, authorId: 'ann', content: 'from a stage', visibility: 'public' };
    const rest = { labels: [], fingerprint: null, mediaIds: [], sharedPostId: null, viaPostId: null };
    await commitOnly('PostPublished', 'publish_post', postId, { ...post, ...rest });
    expect((await world.feed.relations.of('ben')).pulled).toEqual([]);
    await project(postId);
    expect((await world.feed.relations.of('ben')).pulled).toEqual(['ann']);
  });
});

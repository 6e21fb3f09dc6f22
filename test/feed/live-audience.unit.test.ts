import { expect, it } from 'vitest';
import { createAudience } from '../../src/domains/feed/live/audience.js';
import type { Post } from '../../src/domains/feed/types.js';
import { postOf } from './read-posts.js';

function openAudience(...there: readonly Post[]) {
  const posts = new Map(there.map((post) => [post.postId, post]));
  const asked: (readonly string[])[] = [];
  const audience = createAudience({
    relations: {
      of: async (viewerId: string) => ({
        viewerId,
        follows: new Set(['ann']),
        muted: new Set<string>(),
        blocked: new Set<string>(),
        pulled: [],
        mutedKeywords: [],
      }),
    } as never,
    posts: {
      async find(postIds: readonly string[]) {
        asked.push(postIds);
        return postIds.map((postId) => posts.get(postId));
      },
    } as never,
    hiddenLabels: new Set(),
  });
  return { audience, asked, posts };
}

it('a post that goes to many in one instant is looked up once', async () => {
  const post = postOf('ann');
  const { audience, asked } = openAudience(post);
  const told = await Promise.all(
    Array.from({ length: 500 }, (_, n) => audience.among(`reader-${n}`, [post.postId])),
  );
  expect(told.every((audible) => audible.has(post.postId))).toBe(true);
  expect(asked).toEqual([[post.postId]]);
});

it('a call after a change is answered by the post as it is now', async () => {
  const post = postOf('ann');
  const { audience, posts } = openAudience(post);
  expect((await audience.among('reader', [post.postId])).size).toBe(1);
  posts.delete(post.postId);
  expect((await audience.among('reader', [post.postId])).size).toBe(0);
});

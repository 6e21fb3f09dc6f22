import { afterAll, beforeAll, expect, it } from 'vitest';
import { callerOf, type FeedWorld, openFeedWorld } from './feed-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  await world.feed.signIn('ann');
});
afterAll(() => world?.close());

async function publish(content: string): Promise<string> {
  const result = await world.feed.publishPost(callerOf('ann'), { content, visibility: 'public' });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value.postId;
}

/** What a process sends that knows neither links nor mentions. */
async function editFormerly(postId: string, content: string): Promise<void> {
  const edited = await world.log.append({
    appends: [
      {
        streamId: `Post-${postId}`,
        expected: 'any',
        events: [{ type: 'PostEdited', data: { postId, authorId: 'ann', content, version: 1 } }],
      },
    ],
    metadata: { correlationId: 'c', causationId: 'c' },
    inlineProjection: {
      name: 'edit_post',
      args: { postId, editorId: 'ann', content, labels: [], fingerprint: null },
    },
  });
  expect(edited.kind).toBe('accepted');
}

const linksOf = async (postId: string) =>
  (
    await world.postgres.query<{ url: string }>('SELECT url FROM link_previews WHERE post_id = $1', [postId])
  ).rows.map(({ url }) => url);

it.each(['https://shop.example', 'https://shop.example/a?b=%20c'])(
  'a post keeps the preview of %s while a former process edits the text around it',
  async (link) => {
    const postId = await publish(`See ${link}`);
    const before = await linksOf(postId);
    expect(before).toHaveLength(1);
    await editFormerly(postId, `Do see ${link}, please`);
    expect(await linksOf(postId)).toEqual(before);
  },
);

it('a post loses the preview of a link that a former process edits out', async () => {
  const postId = await publish('See https://shop.example/a');
  await editFormerly(postId, 'See https://other.example/a');
  expect(await linksOf(postId)).toEqual([]);
});

it('a post loses its preview where its link is edited out', async () => {
  const postId = await publish('See https://shop.example/a');
  const edited = await world.feed.editPost(callerOf('ann'), { postId, content: 'Nothing to see' });
  expect(edited.ok).toBe(true);
  expect(await linksOf(postId)).toEqual([]);
});

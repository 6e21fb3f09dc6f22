import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { viewerOf } from './feed-callers.js';
import { CDN, type MediaWorld, openMediaWorld, picture } from './media-world.js';

let world: MediaWorld;
let image: Buffer;
const ids = new Map<string, number>();
beforeAll(async () => {
  world = await openMediaWorld();
  image = await picture(20, 20).png().toBuffer();
  const { rows } = await world.postgres.query<{ id: number; user_id: string }>(
    `INSERT INTO users (user_id, display_name) SELECT name, name FROM unnest(ARRAY['ann', 'fan', 'foe', 'eve']) AS name
     RETURNING id, user_id`,
  );
  for (const row of rows) ids.set(row.user_id, row.id);
  await world.postgres.query(
    'INSERT INTO follows (follower_id, followee_id, created_at) VALUES ($1, $2, now())',
    [ids.get('fan'), ids.get('ann')],
  );
  await world.postgres.query('INSERT INTO blocks (user_id, blocked_id) VALUES ($1, $2)', [
    ids.get('ann'),
    ids.get('foe'),
  ]);
});
afterAll(() => world?.close());

/** An image of ann's in a post of this visibility. */
async function posted(visibility: string | null): Promise<string> {
  const mediaId = await world.upload('ann', image);
  await world.process(mediaId);
  if (visibility !== null) {
    await world.postgres.query(
      `INSERT INTO posts (post_id, author_id, content, media_ids, visibility, position, created_at)
       VALUES ($1, $2, '', $3, $4, 1, now())`,
      [v7(), ids.get('ann'), [mediaId], visibility],
    );
  }
  return mediaId;
}

const sees = async (name: string | null, mediaId: string) =>
  (await world.media.findVisible(name === null ? null : viewerOf(name), [mediaId])).has(mediaId);

const everybody = ['ann', 'fan', 'eve', 'foe', null] as const;
it.each([
  [null, ['ann']],
  ['private', ['ann']],
  ['followers', ['ann', 'fan']],
  ['public', ['ann', 'fan', 'eve', null]],
])('an image in a %s post is for its owner and for whoever may see the post', async (visibility, seers) => {
  const mediaId = await posted(visibility);
  const seen: (string | null)[] = [];
  for (const name of everybody) if (await sees(name, mediaId)) seen.push(name);
  expect(seen).toEqual(seers);
});

it('a deleted post shows its media to their owner alone', async () => {
  const mediaId = await posted('public');
  await world.postgres.query('UPDATE posts SET deleted_at = now() WHERE $1 = ANY (media_ids)', [mediaId]);
  expect([await sees('ann', mediaId), await sees('eve', mediaId)]).toEqual([true, false]);
});

it('URLs are the CDN’s', async () => {
  const mediaId = await posted('public');
  const media = (await world.media.findVisible(null, [mediaId])).get(mediaId)!;
  for (const url of [media.url, ...media.renditions.map((rendition) => rendition.url)]) {
    expect(url).toMatch(new RegExp(`^${CDN}/images/[0-9a-f]{32}/(full\\.png|150\\.webp)$`));
  }
});

it('what is no id is nothing', async () => {
  expect((await world.media.findVisible(null, ['', 'x', '../..', v7()])).size).toBe(0);
});

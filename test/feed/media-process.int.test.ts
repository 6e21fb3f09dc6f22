import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewerOf } from './feed-callers.js';
import { endlessJpeg } from './media-pictures.js';
import {
  CDN,
  filesIn,
  type MediaWorld,
  openMediaWorld,
  photograph,
  picture,
  pngClaiming,
} from './media-world.js';

let world: MediaWorld;
beforeAll(async () => {
  world = await openMediaWorld();
});
afterAll(() => world?.close());

const find = async (mediaId: string, owner = 'ann') =>
  (await world.media.findVisible(viewerOf(owner), [mediaId])).get(mediaId)!;
const fileOf = (url: string) => readFile(path.join(world.dir, url.slice(CDN.length + 1)));
const keysOf = async (mediaId: string) => {
  const { rows } = await world.postgres.query<{ storage_key: string }>(
    'SELECT storage_key FROM media WHERE media_id = $1',
    [mediaId],
  );
  const token = rows[0]!.storage_key.split('/')[1]!;
  return (await filesIn(world.dir)).filter((key) => key.includes(token));
};
const finished = async (mediaId: string) =>
  (await world.log.readStream(`Media-${mediaId}`)).map((event) => event.data);

describe('an image', () => {
  it('comes in thumbnails of 150, 300, 600 and 1200 pixels, never enlarged', async () => {
    const mediaId = await world.upload('ann', await picture(1_000, 500).png().toBuffer());
    expect(await find(mediaId)).toMatchObject({
      kind: 'image',
      state: 'uploaded',
      url: null,
      renditions: [],
    });
    await world.process(mediaId);
    const media = await find(mediaId);
    expect(media).toMatchObject({ state: 'ready', failureReason: null });
    expect(media.renditions.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['150', 150, 75],
      ['300', 300, 150],
      ['600', 600, 300],
    ]);
    for (const { url, width, height } of media.renditions) {
      expect(await sharp(await fileOf(url)).metadata()).toMatchObject({ format: 'webp', width, height });
    }
    expect(await sharp(await fileOf(media.url!)).metadata()).toMatchObject({ format: 'png', width: 1_000 });
  });

  it('smaller than every thumbnail has one of its own size', async () => {
    const mediaId = await world.upload('ann', await picture(40, 20).webp().toBuffer());
    await world.process(mediaId);
    expect((await find(mediaId)).renditions).toMatchObject([{ name: '150', width: 40, height: 20 }]);
  });

  it('is upright and has no metadata of place and camera', async () => {
    const original = await photograph(400, 200);
    expect((await sharp(original).metadata()).exif!.includes('Acme')).toBe(true);
    const mediaId = await world.upload('ann', original);
    await world.process(mediaId);
    const { url, renditions } = await find(mediaId);
    for (const served of [url!, ...renditions.map((rendition) => rendition.url)]) {
      const bytes = await fileOf(served);
      const { exif, xmp, iptc, orientation, width, height } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, orientation }).toEqual({});
      expect(bytes.includes('Acme')).toBe(false);
      expect(height).toBe(2 * width);
    }
    // Turned right, what was left is above.
    const { data } = await sharp(await fileOf(url!))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(data[0]).toBeGreaterThan(200);
    expect(data[2]).toBeLessThan(50);
  });

  it('that is animated stays animated, and its thumbnail is a still', async () => {
    const frames = await Promise.all(
      ['red', 'lime', 'blue'].map((background) =>
        sharp({ create: { width: 200, height: 100, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const mediaId = await world.upload(
      'ann',
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
    );
    await world.process(mediaId);
    const { url, renditions } = await find(mediaId);
    expect((await sharp(await fileOf(url!)).metadata()).pages).toBe(3);
    expect((await sharp(await fileOf(renditions[0]!.url)).metadata()).pages).toBeUndefined();
  });

  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('may be %s', async (format) => {
    const mediaId = await world.upload('ann', await picture(20, 20).toFormat(format).toBuffer());
    await world.process(mediaId);
    expect((await find(mediaId)).state).toBe('ready');
  });

  it('whose upload is processed is served under a key that the upload did not have, and the upload is gone', async () => {
    const mediaId = await world.upload('ann', await picture(20, 20).png().toBuffer());
    expect(await keysOf(mediaId)).toEqual([expect.stringMatching(/^incoming\/[0-9a-f]{32}$/)]);
    await world.process(mediaId);
    expect(await keysOf(mediaId)).toEqual([
      expect.stringMatching(/^images\/[0-9a-f]{32}\/150\.webp$/),
      expect.stringMatching(/^images\/[0-9a-f]{32}\/full\.png$/),
    ]);
  });
});

describe('what nothing can be made of', () => {
  it.each([
    ['an image bomb', () => pngClaiming(50_000, 50_000), 'IMAGE_TOO_LARGE'],
    ['a JPEG that is drawn a thousand times over', endlessJpeg, 'IMAGE_TOO_LARGE'],
    ['a header without a picture', () => pngClaiming(50, 50), 'IMAGE_UNREADABLE'],
    [
      'half a picture',
      async () => (await picture(800, 800).jpeg().toBuffer()).subarray(0, 2_000),
      'IMAGE_UNREADABLE',
    ],
  ])('%s fails with a reason, and leaves no file', async (_, make, reason) => {
    const mediaId = await world.upload('ann', await make());
    await world.process(mediaId);
    expect(await find(mediaId)).toMatchObject({
      state: 'failed',
      failureReason: reason,
      url: null,
      renditions: [],
    });
    expect(await keysOf(mediaId)).toEqual([]);
    expect(await finished(mediaId)).toMatchObject([{ mediaId, state: 'failed', failureReason: reason }]);
  });
});

describe('the end of processing', () => {
  it('is one fact, which gives the posts that hold the item their next version', async () => {
    const mediaId = await world.upload('ann', await picture(20, 20).png().toBuffer());
    await world.postgres.query(`INSERT INTO users (user_id, display_name) VALUES ('ann', 'Ann')`);
    const { rows } = await world.postgres.query<{ post_id: string }>(
      `INSERT INTO posts (post_id, author_id, content, media_ids, position, created_at)
       SELECT gen_random_uuid(), id, 'look', ARRAY[$1::uuid], 1, now() FROM users WHERE user_id = 'ann' RETURNING post_id`,
      [mediaId],
    );
    await world.process(mediaId);
    await world.process(mediaId);
    expect(await finished(mediaId)).toEqual([
      { mediaId, ownerId: 'ann', state: 'ready', failureReason: null, version: 1 },
    ]);
    const postId = rows[0]!.post_id;
    expect(await world.media.postsHolding([mediaId])).toEqual([postId]);
    const { rows: versions } = await world.postgres.query<{ version: number }>(
      'SELECT version FROM posts WHERE post_id = $1',
      [postId],
    );
    expect(versions[0]!.version).toBe(await world.log.head());
  });
});

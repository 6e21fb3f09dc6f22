import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { type MediaWorld, openMediaWorld, picture } from './media-world.js';

const DAY_MS = 86_400_000;

let world: MediaWorld;
let image: Buffer;
let authorId: number;
beforeAll(async () => {
  world = await openMediaWorld();
  image = await picture(20, 20).png().toBuffer();
  const { rows } = await world.postgres.query<{ id: number }>(
    `INSERT INTO users (user_id, display_name) VALUES ('ann', 'Ann') RETURNING id`,
  );
  authorId = rows[0]!.id;
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.postgres.query('DELETE FROM posts');
  await world.postgres.query(`UPDATE media SET state = 'removing', touched_at = now() - interval '1 day'`);
  await world.media.sweepUnused();
  expect([await world.rows(), await world.files()]).toEqual([0, []]);
});

async function ready(): Promise<string> {
  const mediaId = await world.upload('ann', image);
  await world.process(mediaId);
  return mediaId;
}

async function post(...mediaIds: string[]): Promise<string> {
  const postId = v7();
  await world.postgres.query(
    `INSERT INTO posts (post_id, author_id, content, media_ids, position, created_at) VALUES ($1, $2, '', $3, 1, now())`,
    [postId, authorId, mediaIds],
  );
  return postId;
}

const left = async () => {
  const { rows } = await world.postgres.query<{ media_id: string }>('SELECT media_id FROM media ORDER BY 1');
  return rows.map((row) => row.media_id);
};

it('removes a day later what no post came to hold', async () => {
  const [held, unused] = [await ready(), await ready()];
  await post(held);
  world.clock.ms += DAY_MS - 60_000;
  const young = await ready();
  expect(await world.media.sweepUnused()).toBe(0);
  world.clock.ms += 120_000;
  expect(await world.media.sweepUnused()).toBe(1);
  expect(await left()).toEqual([held, young]);
  expect(await left()).not.toContain(unused);
  expect(await world.files()).toHaveLength(4);
});

it('keeps what a deleted post holds until the post is purged', async () => {
  const mediaId = await ready();
  const postId = await post(mediaId);
  await world.postgres.query('UPDATE posts SET deleted_at = now() WHERE post_id = $1', [postId]);
  expect(await world.media.remove([mediaId])).toBe(0);
  await world.postgres.query('DELETE FROM posts WHERE post_id = $1', [postId]);
  expect(await world.media.remove([mediaId])).toBe(1);
  expect([await left(), await world.files()]).toEqual([[], []]);
});

it('keeps what another post holds too', async () => {
  const mediaId = await ready();
  const first = await post(mediaId);
  await post(mediaId);
  await world.postgres.query('DELETE FROM posts WHERE post_id = $1', [first]);
  expect(await world.media.remove([mediaId])).toBe(0);
  expect(await world.files()).toHaveLength(2);
});

it('finishes a removal that was killed', async () => {
  const mediaId = await ready();
  const dying = world.mediaWith({ remove: () => Promise.reject(new Error('killed')) });
  await expect(dying.remove([mediaId])).rejects.toThrow('killed');
  expect(
    (await world.media.findVisible({ userId: 'ann', roles: new Set(), plan: 'free' }, [mediaId])).size,
  ).toBe(0);
  expect(await world.media.sweepUnused()).toBe(0);
  await world.age(mediaId, 3_601);
  expect(await world.media.sweepUnused()).toBe(1);
});

it('removes what is left of an upload whose api was killed', async () => {
  const cut = Promise.withResolvers<void>();
  const hanging = world.mediaWith({
    // It reads, writes and never comes back.
    put: () => {
      cut.resolve();
      return new Promise(() => undefined);
    },
  });
  void hanging.upload(
    { viewer: { userId: 'ann', roles: new Set(), plan: 'free' }, correlationId: 'cut' },
    (async function* () {
      yield image;
    })(),
  );
  await cut.promise;
  const [mediaId] = await left();
  expect(await world.media.sweepUnused()).toBe(0);
  await world.age(mediaId!, 3_601);
  expect(await world.media.sweepUnused()).toBe(1);
});

it('leaves to a later sweep what is just being processed, so that none of its files stays behind', async () => {
  const mediaId = await world.upload('ann', image);
  const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const disk = createDiskStore(world.dir);
  const slow = world.mediaWith({
    async put(...args) {
      arrived.resolve();
      await go.promise;
      return disk.put(...args);
    },
  });
  const processing = world.process(mediaId, slow);
  await arrived.promise;
  await world.media.remove([mediaId]);
  go.resolve();
  await processing;
  world.clock.ms += DAY_MS + 60_000;
  await world.media.sweepUnused();
  expect([await left(), await world.files()]).toEqual([[], []]);
});

it('has nothing against ids that are unknown, and takes any number', async () => {
  expect(await world.media.remove(Array.from({ length: 250 }, () => v7()))).toBe(0);
});

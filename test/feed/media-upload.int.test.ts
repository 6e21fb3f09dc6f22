import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { callerOf } from './feed-callers.js';
import { from, type MediaWorld, openMediaWorld, picture } from './media-world.js';

let world: MediaWorld;
beforeAll(async () => {
  world = await openMediaWorld({ image: 100_000, video: 300_000 });
});
afterAll(() => world?.close());
afterEach(async () => {
  await world.postgres.query('DELETE FROM media');
});

const send = (body: AsyncIterable<Uint8Array>, media = world.media) => media.upload(callerOf('ann'), body);
const png = () => picture(30, 30).png().toBuffer();

/** What is an MP4 by its first bytes. */
const mp4 = (size: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeUInt32BE(24, 0);
  bytes.write('ftypisom\0\0\x02\0isomiso2', 4, 'latin1');
  return bytes;
};

async function* breakingOffAfter(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
  throw new Error('aborted');
}

it('accepts an image in pieces of any size, and enqueues its processing', async () => {
  const bytes = await png();
  const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
  const result = await send(from(...pieces));
  expect(result).toMatchObject({ ok: true, value: { kind: 'image', state: 'uploaded', url: null } });
  const { rows } = await world.postgres.query('SELECT owner_id, content_type, bytes FROM media');
  expect(rows).toEqual([{ owner_id: 'ann', content_type: 'image/png', bytes: bytes.length }]);
  expect(world.enqueued).toEqual(['feed.images ann']);
});

it('takes an upload though the queue is away', async () => {
  world.queueAway = true;
  expect((await send(from(await png()))).ok).toBe(true);
  world.queueAway = false;
});

const refusals: [string, string, () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>][] = [
  ['nothing', 'MEDIA_EMPTY', () => from()],
  ['empty pieces', 'MEDIA_EMPTY', () => from(Buffer.alloc(0), Buffer.alloc(0))],
  ['a text', 'MEDIA_TYPE_UNSUPPORTED', () => from(Buffer.from('this is no picture'))],
  ['a page', 'MEDIA_TYPE_UNSUPPORTED', () => from(Buffer.from('<!doctype html><script>alert(1)</script>'))],
  [
    'a drawing with a script',
    'MEDIA_TYPE_UNSUPPORTED',
    () => from(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')),
  ],
  ['a program', 'MEDIA_TYPE_UNSUPPORTED', () => from(Buffer.from('\x7fELF\x02\x01\x01', 'latin1'))],
  [
    'an image that is too large',
    'MEDIA_TOO_LARGE',
    async () => from(await png(), Buffer.alloc(60_000), Buffer.alloc(60_000)),
  ],
  ['a video that is too large', 'MEDIA_TOO_LARGE', () => from(mp4(200_000), Buffer.alloc(100_001))],
  ['an upload that breaks off at once', 'UPLOAD_INCOMPLETE', () => breakingOffAfter()],
  [
    'an upload that breaks off',
    'UPLOAD_INCOMPLETE',
    async () => breakingOffAfter(await png(), Buffer.alloc(9_000)),
  ],
];
it.each(refusals)('refuses %s: %s, and keeps nothing of it', async (_, code, body) => {
  const before = await world.files();
  expect(await send(await body())).toMatchObject({ ok: false, errors: [{ code, path: ['file'] }] });
  expect(await world.files()).toEqual(before);
  expect(await world.rows()).toBe(0);
});

it('lets a video be larger than an image', async () => {
  expect(await send(from(mp4(200_000), Buffer.alloc(100_000)))).toMatchObject({ value: { kind: 'video' } });
});

it('keeps nothing where the store fails, and says that it is no fault of the file', async () => {
  const broken = world.mediaWith({ put: () => Promise.reject(new Error('disk full')) });
  await expect(send(from(await png()), broken)).rejects.toThrow('disk full');
  expect(await world.rows()).toBe(0);
});

it('leaves to the sweeper what a store that is away may have kept', async () => {
  const disk = createDiskStore(world.dir);
  const away = world.mediaWith({
    async put(...args) {
      await disk.put(...args);
      throw new Error('no answer');
    },
    remove: () => Promise.reject(new Error('no answer')),
  });
  await expect(send(from(await png()), away)).rejects.toThrow('no answer');
  const { rows } = await world.postgres.query<{ media_id: string; state: string }>(
    'SELECT media_id, state FROM media',
  );
  expect(rows).toMatchObject([{ state: 'receiving' }]);
  await world.age(rows[0]!.media_id, 3_601);
  expect(await world.media.sweepUnused()).toBe(1);
  expect(await world.rows()).toBe(0);
});

it('takes nothing that the sweeper gave up while it arrived', async () => {
  const before = await world.files();
  const disk = createDiskStore(world.dir);
  const slow = world.mediaWith({
    async put(...args) {
      const { rows } = await world.postgres.query<{ media_id: string }>('SELECT media_id FROM media');
      expect(await world.media.remove(rows.map((row) => row.media_id))).toBe(1);
      await disk.put(...args);
    },
  });
  expect(await send(from(await png()), slow)).toMatchObject({ errors: [{ code: 'UPLOAD_INCOMPLETE' }] });
  expect(await world.files()).toEqual(before);
});

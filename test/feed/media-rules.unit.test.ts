import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { detectContent } from '../../src/domains/feed/media/content.js';
import { deriveImage } from '../../src/domains/feed/media/images.js';
import {
  cacheControlOf,
  derivedKey,
  everyKey,
  isKey,
  isServed,
  newIncomingKey,
} from '../../src/domains/feed/media/keys.js';
import { type MediaRow, toMedia } from '../../src/domains/feed/media/media.js';

const row: MediaRow = {
  media_id: 'm',
  kind: 'image',
  state: 'ready',
  storage_key: 'images/k/full.png',
  renditions: [{ name: '150', width: 150, height: 75, key: 'images/k/150.webp' }],
  failure_reason: null,
};

it('readers get URLs of the CDN once everything is ready, and none before', () => {
  expect(toMedia(row, 'https://cdn.test')).toEqual({
    mediaId: 'm',
    kind: 'image',
    state: 'ready',
    url: 'https://cdn.test/images/k/full.png',
    failureReason: null,
    renditions: [{ name: '150', width: 150, height: 75, url: 'https://cdn.test/images/k/150.webp' }],
  });
  for (const state of ['receiving', 'uploaded', 'processing', 'failed', 'removing'] as const) {
    expect(toMedia({ ...row, state }, 'https://cdn.test')).toMatchObject({ url: null, renditions: [] });
  }
});

it('a failure has its reason only once the event is appended', () => {
  const failing = { ...row, failure_reason: 'IMAGE_UNREADABLE' };
  expect(toMedia({ ...failing, state: 'processing' }, '').failureReason).toBeNull();
  expect(toMedia({ ...failing, state: 'failed' }, '').failureReason).toBe('IMAGE_UNREADABLE');
});

it('keys cannot be guessed, and none leads out of the store', () => {
  const keys = new Set(Array.from({ length: 1_000 }, newIncomingKey));
  expect(keys.size).toBe(1_000);
  for (const key of keys) {
    expect(key).toMatch(/^incoming\/[0-9a-f]{32}$/);
    expect(isServed(key)).toBe(false);
    expect(everyKey('image', key).every(isKey) && everyKey('video', key).every(isKey)).toBe(true);
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(isKey(text) && /\.\.|\\|\0|^\//.test(text)).toBe(false);
    }),
  );
});

it('everything that is derived is among what a removal removes', () => {
  const key = newIncomingKey();
  for (const file of ['full.jpg', 'full.gif', '150.webp', '1200.webp'])
    expect(everyKey('image', key)).toContain(derivedKey('image', key, file));
  for (const file of ['thumbnail.jpg', '240p.mp4', '1080p.mp4'])
    expect(everyKey('video', derivedKey('video', key, '240p.mp4'))).toContain(derivedKey('video', key, file));
});

it('images may be kept for 30 days, videos and their pictures for 7', () => {
  const key = newIncomingKey();
  const secondsOf = (kind: 'image' | 'video', file: string) =>
    Number(/max-age=(\d+)/.exec(cacheControlOf(derivedKey(kind, key, file)))![1]);
  expect(secondsOf('image', '150.webp')).toBe(30 * 86_400);
  expect(secondsOf('video', 'thumbnail.jpg')).toBe(7 * 86_400);
  expect(secondsOf('video', '480p.mp4')).toBe(7 * 86_400);
});

it('no bytes make the recognition of types fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 4_100 }), async (bytes) => {
      await detectContent(bytes);
    }),
  );
});

it('what calls itself an image and draws instead is not even opened', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const derived = deriveImage(svg, async () => undefined, new AbortController().signal);
  await expect(derived).rejects.toMatchObject({ reason: 'IMAGE_UNREADABLE' });
});

const env = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  AUTH_SECRET: 'a secret of thirty-two characters',
};

it('files go to a folder unless a bucket is named', () => {
  expect(readConfig(env)).toMatchObject({
    cdnUrl: 'http://127.0.0.1:4000/media',
    media: {
      dir: '.tidings/media',
      maxBytes: { image: 20 * 1024 * 1024, video: 500 * 1024 * 1024 },
      maxVideoSeconds: 600,
    },
  });
  const s3 = {
    MEDIA_S3_BUCKET: 'pictures',
    MEDIA_S3_ENDPOINT: 'https://s3.test',
    CDN_URL: 'https://cdn.test',
  };
  expect(readConfig({ ...env, ...s3 }).media.s3).toEqual({
    bucket: 'pictures',
    region: 'us-east-1',
    endpoint: 'https://s3.test',
  });
});

it('a bucket without a CDN is refused: its files would not be served', () => {
  expect(() => readConfig({ ...env, MEDIA_S3_BUCKET: 'pictures' })).toThrow('CDN_URL is missing');
});

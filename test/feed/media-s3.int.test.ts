import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createS3Store } from '../../src/platform/object-store/s3-store.js';
import { callerOf, viewerOf } from './feed-callers.js';
import { CDN, from, type MediaWorld, openMediaWorld, photograph } from './media-world.js';
import { S3_KEY, type S3Stub, startS3Stub } from './s3-stub.js';

let world: MediaWorld;
let s3: S3Stub;
beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', S3_KEY.id);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', S3_KEY.secret);
  [world, s3] = await Promise.all([openMediaWorld(), startS3Stub()]);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([world?.close(), s3?.close()]);
});

it('in S3 an image goes the same way, from the upload to its removal', async () => {
  const media = world.mediaWith(createS3Store({ bucket: 'pictures', region: 'eu-test-1', endpoint: s3.url }));
  const result = await media.upload(callerOf('ann'), from(await photograph(800, 400)));
  const { mediaId } = result.ok ? result.value : { mediaId: '' };
  expect([...s3.objects]).toEqual([
    [
      expect.stringMatching(/^\/pictures\/incoming\/[0-9a-f]{32}$/),
      expect.objectContaining({ contentType: 'image/jpeg', cacheControl: 'private, no-store' }),
    ],
  ]);
  await world.process(mediaId, media);
  const { url, renditions } = (await media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId)!;
  const urls = [url!, ...renditions.map((rendition) => rendition.url)];
  expect(urls.map((one) => one.replace(CDN, '/pictures')).sort()).toEqual([...s3.objects.keys()].sort());
  for (const { cacheControl } of s3.objects.values())
    expect(cacheControl).toBe('public, max-age=2592000, immutable');
  expect(await media.remove([mediaId])).toBe(1);
  expect(s3.objects.size).toBe(0);
  expect(await world.files()).toEqual([]);
});

it.each([
  ['at once', false],
  ['in the middle of a file', true],
])('an S3 that falls silent %s holds nobody up for good', async (_, answers) => {
  const server = createServer((request, response) => {
    if (answers && request.method === 'GET') response.writeHead(200, { 'content-length': 10 }).write('half');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = createS3Store({ bucket: 'pictures', region: 'eu-test-1', endpoint }, { silentMs: 100 });
  const facts = { contentType: 'image/png', cacheControl: 'no-store' };
  const silent = /inactivity/;
  try {
    await Promise.all([
      expect(store.get('incoming/a').then(buffer)).rejects.toThrow(silent),
      expect(store.put('incoming/a', from(Buffer.from('a')), facts)).rejects.toThrow(silent),
      expect(store.remove(['incoming/a'])).rejects.toThrow(silent),
    ]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

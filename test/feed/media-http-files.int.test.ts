import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewerOf } from './feed-callers.js';
import { type MediaHttp, openMediaHttp } from './media-http-world.js';
import { CDN } from './media-world.js';

let http: MediaHttp;
beforeAll(async () => {
  http = await openMediaHttp();
});
afterAll(() => http?.close());

describe('GET /media/{key}', () => {
  let path: string;
  let thumbnail: string;
  beforeAll(async () => {
    const mediaId = await http.upload('ann', http.image);
    await http.process(mediaId);
    const media = (await http.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId)!;
    path = media.url!.replace(CDN, '/media');
    thumbnail = media.renditions[0]!.url.replace(CDN, '/media');
  });

  it('serves finished files to anybody, for 30 days, as what they are and nothing else', async () => {
    for (const [served, type] of [
      [path, 'image/png'],
      [thumbnail, 'image/webp'],
    ] as const) {
      const answer = await fetch(http.url + served);
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'cache-control': 'public, max-age=2592000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': 'inline',
      });
    }
  });

  it('serves parts, and knows what a client has already', async () => {
    const part = await fetch(http.url + path, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    const { etag } = Object.fromEntries(part.headers);
    expect(await statusOf(path, `If-None-Match: ${etag}\r\n`)).toBe(304);
    expect((await fetch(http.url + path, { method: 'HEAD' })).status).toBe(200);
  });

  it.each<[string, (path: string) => string, Record<string, string>, number, string]>([
    ['a file that is not there', (own) => own.replace(/[0-9a-f]{32}/, '0'.repeat(32)), {}, 404, 'NOT_FOUND'],
    ['a path that is no file’s', () => '/media/x', {}, 404, 'NOT_FOUND'],
    ['a part beyond the end', (own) => own, { range: 'bytes=999999-' }, 416, 'RANGE_NOT_SATISFIABLE'],
    ['another version of it', (own) => own, { 'if-match': '"another"' }, 412, 'PRECONDITION_FAILED'],
  ])('refuses %s with a code that no cache keeps', async (_, wanted, headers, status, code) => {
    const answer = await fetch(http.url + wanted(path), { headers });
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([answer.status, error.code, answer.headers.get('cache-control')]).toEqual([
      status,
      code,
      'no-store',
    ]);
    if (status === 416) expect(answer.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
  });

  it('never serves an upload as it came, nor anything else of the machine', async () => {
    await http.upload('ann', http.image);
    const incoming = (await http.files()).find((key) => key.startsWith('incoming/'));
    const paths = [
      `/media/${incoming}`,
      '/media/',
      '/media/images',
      '/media/../package.json',
      '/media/..%2f..%2f..%2fetc%2fpasswd',
      '/media/%2e%2e/%2e%2e/etc/passwd',
      `/media/images/${'0'.repeat(32)}/full.png`,
      `${path}/`,
      `${path}%00.jpg`,
      path.replace('/media/', '/media//'),
    ];
    for (const wrong of paths) {
      const status = await statusOf(wrong);
      expect([wrong, status >= 400 && status < 500]).toEqual([wrong, true]);
    }
  });

  /** The path as it stands: fetch would tidy it up first. */
  async function statusOf(rawPath: string, headers = ''): Promise<number> {
    const socket = connect(Number(new URL(http.url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`GET ${rawPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    await once(socket, 'close');
    return Number(text.split(' ')[1]);
  }
});

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { createEdge, type Edge } from '../../src/edge/index.js';
import { registerMediaRoutes } from '../../src/http/feed-media.js';
import { createAuthenticator, signToken } from '../../src/platform/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { viewerOf } from './feed-callers.js';
import { CDN, type MediaWorld, openMediaWorld, picture, silent } from './media-world.js';

const secret = 'a secret of thirty-two characters';

let world: MediaWorld;
let edge: Edge;
let url: string;
let token: string;
let image: Buffer;
beforeAll(async () => {
  world = await openMediaWorld({ image: 100_000, video: 200_000 });
  image = await picture(200, 100).png().toBuffer();
  token = await signToken(secret, { userId: 'ann', roles: [], plan: 'free', expiresInSeconds: 600 });
  edge = await openEdge();
  url = await edge.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await edge?.close();
  await world?.close();
});

const openEdge = (
  times: { silenceMs?: number; lingerMs?: number } = {},
  media = world.media,
): Promise<Edge> =>
  createEdge({
    schema: buildSchema('type Query { nothing: Int }'),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) => request,
    logger: silent,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    async routes(fastify, openRequest) {
      await holdAnswersToDocument(fastify);
      await registerMediaRoutes(fastify, {
        app: {
          feed: { media },
          config: { media: { dir: world.dir, maxBytes: world.maxBytes } },
        },
        openRequest,
        ...times,
      });
    },
  });

function form(bytes: Uint8Array, { field = 'file', name = 'x.png', type = 'image/png' } = {}): FormData {
  const data = new FormData();
  data.append(field, new Blob([Uint8Array.from(bytes)], { type }), name);
  return data;
}

const send = (
  body: string | FormData,
  headers: Record<string, string> = { authorization: `Bearer ${token}` },
) => fetch(`${url}/api/v1/media`, { method: 'POST', body, headers });

const nothingLeft = () =>
  vi.waitFor(async () => expect([await world.rows(), await world.files()]).toEqual([0, []]), 15_000);

describe('POST /api/v1/media', () => {
  afterEach(async () => {
    await world.postgres.query(`UPDATE media SET state = 'removing', touched_at = now() - interval '1 day'`);
    await world.media.sweepUnused();
  });

  it('answers 201 with an id that is the caller’s', async () => {
    const answer = await send(form(image));
    expect(answer.status).toBe(201);
    const { media_id: mediaId, ...rest } = (await answer.json()) as Record<string, string>;
    expect(rest).toEqual({ kind: 'image', state: 'uploaded' });
    expect((await world.media.findVisible(viewerOf('ann'), [mediaId!])).size).toBe(1);
    expect((await world.media.findVisible(viewerOf('eve'), [mediaId!])).size).toBe(0);
  });

  it('looks at the content, not at the name', async () => {
    const unnamed = await send(form(image, { name: 'notes.txt', type: 'text/plain' }));
    expect(unnamed.status).toBe(201);
    const text = await send(form(Buffer.from('just a text')));
    expect([text.status, await text.json()]).toEqual([
      415,
      { error: { code: 'MEDIA_TYPE_UNSUPPORTED', message: expect.any(String), path: ['file'] } },
    ]);
  });

  it.each<[string, () => string | FormData, number, string]>([
    ['an empty file', () => form(Buffer.alloc(0)), 400, 'MEDIA_EMPTY'],
    ['too large an image', () => form(Buffer.concat([image, Buffer.alloc(100_000)])), 413, 'MEDIA_TOO_LARGE'],
    ['more than anything may have', () => form(Buffer.alloc(2_000_000)), 413, 'MEDIA_TOO_LARGE'],
    ['another field', () => form(image, { field: 'picture' }), 400, 'BAD_USER_INPUT'],
    ['a form without a file', () => Object.assign(new FormData(), {}), 400, 'BAD_USER_INPUT'],
    ['a bare text', () => 'x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s with a code, and keeps nothing', async (_, body, status, code) => {
    const answer = await send(body());
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
    await nothingLeft();
  });

  type Part = readonly [name: string, value: string | (() => Uint8Array)];
  function formOf(...parts: readonly Part[]): FormData {
    const data = new FormData();
    for (const [name, value] of parts)
      data.append(name, typeof value === 'string' ? value : new Blob([Uint8Array.from(value())]));
    return data;
  }
  const file: Part = ['file', () => image];
  const many = Array.from({ length: 10 }, (_, number): Part => [`field${number}`, 'x']);

  it.each<[string, ...Part[]]>([
    ['another file', file, file],
    ['a large file that is no image', file, ['file', () => Buffer.alloc(190_000)]],
    [
      'another file, both of few bytes',
      ['file', () => image.subarray(0, 99)],
      ['file', () => Buffer.alloc(1)],
    ],
    ['a file of another name', file, ['more', () => image]],
    ['a text of the same name', file, ['file', 'x']],
    ['a text of the same name before it', ['file', 'x'], file],
    ['a text of the same name behind many others', file, ...many, ['file', 'x']],
  ])('refuses a file beside %s, and keeps nothing', async (_, ...parts) => {
    const answer = await send(formOf(...parts));
    const { error } = (await answer.json()) as { error: unknown };
    expect([answer.status, error]).toEqual([
      400,
      expect.objectContaining({ code: 'BAD_USER_INPUT', path: ['file'] }),
    ]);
    await nothingLeft();
  });

  it('takes a file beside other fields', async () => {
    expect((await send(formOf(...many.slice(5), file, ...many.slice(0, 5)))).status).toBe(201);
  });

  it('needs a token', async () => {
    expect((await send(form(image), {})).status).toBe(401);
    await nothingLeft();
  });

  const head = (length: number) =>
    `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
  const opening = '--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\n';

  const part = expect.stringMatching(/^incoming\/[0-9a-f]{32}\.[0-9a-f-]{36}\.part$/);

  /** A request as its bytes go over the wire, and all that comes back until it closes. */
  function post(length: number) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(head(length));
    return { socket, answer: once(socket, 'close').then(() => text) };
  }

  it('that is cut in the middle leaves neither a file nor a row', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(head(90_000) + opening);
    socket.write(Buffer.concat([image, Buffer.alloc(40_000)]));
    await vi.waitFor(async () => {
      expect(await world.rows()).toBe(1);
      expect(await world.files()).toEqual([part]);
    }, 15_000);
    socket.destroy();
    await nothingLeft();
  });

  it('that goes on with a second file is refused, and the first, all but stored, goes too', async () => {
    const { socket, answer } = post(90_000);
    socket.write(opening);
    socket.write(Buffer.concat([image, Buffer.alloc(70_000)]));
    await vi.waitFor(
      async () => expect([await world.rows(), await world.files()]).toEqual([1, [part]]),
      15_000,
    );
    socket.write(`\r\n${opening}x`);
    expect(await answer).toMatch(/^HTTP\/1\.1 400 .*"BAD_USER_INPUT"/s);
    await nothingLeft();
  });

  it.each([
    ['before its first part', ''],
    ['in a field before its file', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n'],
    ['in the name of a part', '--b\r\nX: '],
    [
      'in a field behind its file',
      `${opening}FILE\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n`,
    ],
    ['behind its end', `${opening}FILE\r\n--b--\r\n`],
  ])('that says nothing of its length and goes on %s is too large', async (_, begun) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    const send = (bytes: Buffer) =>
      socket.write(
        Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
      );
    socket.write(head(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked'));
    for (const piece of begun.split('FILE').flatMap((text, n) => [...(n ? [image] : []), Buffer.from(text)]))
      if (piece.length > 0) send(piece);
    const more = setInterval(() => send(Buffer.alloc(20_000, 'A')), 5);
    await once(socket, 'close');
    clearInterval(more);
    expect(text).toMatch(/^HTTP\/1\.1 413 .*"MEDIA_TOO_LARGE"/s);
    await nothingLeft();
  });

  const withoutToken = (length: number) =>
    head(length).replace(/Authorization: .*\r\nConnection: close\r\n/, '');

  it.each<[string, (length: number) => string, number]>([
    ['for its file', head, 415],
    ['without a token', withoutToken, 401],
  ])(
    'that is refused %s while it is still sent hears of it, and may send the rest',
    async (_, begin, status) => {
      const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
      const failed = vi.fn();
      socket.on('error', failed);
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      socket.write(begin(90_000) + opening + 'x'.repeat(9_000));
      await once(socket, 'end');
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      for (let sent = 0; sent < 80_000; sent += 10_000)
        await new Promise((sentOn) => socket.write('x'.repeat(10_000), sentOn));
      socket.end();
      await once(socket, 'close');
      expect(failed).not.toHaveBeenCalled();
      await nothingLeft();
    },
  );

  it.each([
    ['for its file', head],
    ['without a token', withoutToken],
  ])('that is refused %s and goes on for long is cut off', async (_, begin) => {
    const impatient = await openEdge({ lingerMs: 100 });
    const { port } = new URL(await impatient.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => undefined).resume();
    socket.write(begin(90_000) + opening + 'x'.repeat(9_000));
    const more = setInterval(() => socket.write('x'), 10);
    await new Promise((closed) => socket.once('close', closed));
    clearInterval(more);
    await impatient.close();
  });

  it('that goes on without a word is given up', async () => {
    const impatient = await openEdge({ silenceMs: 300 });
    const { port } = new URL(await impatient.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(head(90_000) + opening);
    socket.write(Buffer.concat([image, Buffer.alloc(40_000)]));
    await once(socket.resume(), 'close');
    await nothingLeft();
    await impatient.close();
  });

  it('that came whole is answered, however long the store takes to keep it', async () => {
    const disk = createDiskStore(world.dir);
    const slow = world.roomWith({
      async put(...args) {
        await disk.put(...args);
        await pause(1_000);
      },
    });
    const patient = await openEdge({ silenceMs: 300 }, slow);
    const at = await patient.listen({ host: '127.0.0.1', port: 0 });
    const headers = { authorization: `Bearer ${token}` };
    const answer = fetch(`${at}/api/v1/media`, { method: 'POST', body: form(image), headers });
    expect(await answer.then(({ status }) => status)).toBe(201);
    await patient.close();
  });

  it('whose header names no boundary is told so, and not that it broke off', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data' };
    const body = await new Response(form(image)).arrayBuffer();
    const answer = await fetch(`${url}/api/v1/media`, { method: 'POST', body, headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'BAD_USER_INPUT', message: expect.stringContaining('boundary'), path: ['file'] },
    });
  });

  it.each([
    ['before its file does', ''],
    ['in the next part', `\r\n--b\r\nContent-Disposition: form-data; na`],
  ])('whose form ends %s is incomplete', async (_, more) => {
    const body = Buffer.concat([Buffer.from(opening), image, Buffer.from(more)]);
    const { socket, answer } = post(body.length);
    socket.write(body);
    expect(await answer).toMatch(/^HTTP\/1\.1 400 .*"UPLOAD_INCOMPLETE"/s);
    await nothingLeft();
  });
});

describe('GET /media/{key}', () => {
  let path: string;
  let thumbnail: string;
  beforeAll(async () => {
    const mediaId = await world.upload('ann', image);
    await world.process(mediaId);
    const media = (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId)!;
    path = media.url!.replace(CDN, '/media');
    thumbnail = media.renditions[0]!.url.replace(CDN, '/media');
  });

  it('serves finished files to anybody, for 30 days, as what they are and nothing else', async () => {
    for (const [served, type] of [
      [path, 'image/png'],
      [thumbnail, 'image/webp'],
    ] as const) {
      const answer = await fetch(url + served);
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
    const part = await fetch(url + path, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    const { etag } = Object.fromEntries(part.headers);
    expect(await statusOf(path, `If-None-Match: ${etag}\r\n`)).toBe(304);
    expect((await fetch(url + path, { method: 'HEAD' })).status).toBe(200);
  });

  it.each<[string, (path: string) => string, Record<string, string>, number, string]>([
    ['a file that is not there', (own) => own.replace(/[0-9a-f]{32}/, '0'.repeat(32)), {}, 404, 'NOT_FOUND'],
    ['a path that is no file’s', () => '/media/x', {}, 404, 'NOT_FOUND'],
    ['a part beyond the end', (own) => own, { range: 'bytes=999999-' }, 416, 'RANGE_NOT_SATISFIABLE'],
    ['another version of it', (own) => own, { 'if-match': '"another"' }, 412, 'PRECONDITION_FAILED'],
  ])('refuses %s with a code that no cache keeps', async (_, wanted, headers, status, code) => {
    const answer = await fetch(url + wanted(path), { headers });
    const { error } = (await answer.json()) as { error: { code: string } };
    expect([answer.status, error.code, answer.headers.get('cache-control')]).toEqual([
      status,
      code,
      'no-store',
    ]);
    if (status === 416) expect(answer.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
  });

  it('never serves an upload as it came, nor anything else of the machine', async () => {
    await world.upload('ann', image);
    const incoming = (await world.files()).find((key) => key.startsWith('incoming/'));
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
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`GET ${rawPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
    await once(socket, 'close');
    return Number(text.split(' ')[1]);
  }
});

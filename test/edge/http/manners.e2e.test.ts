import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawAnswer } from '../raw-answer.js';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({
    routes(app) {
      app.get('/page', () => ({ text: 'page' }));
      app.get('/things/:id', () => ({}));
      app.put('/things/:id', () => ({}));
      app.post('/things', () => ({}));
    },
  });
});
afterAll(() => toy.edge.close());

const raw = (path: string, headers?: Record<string, string>, method?: string, body?: string) =>
  rawAnswer(`${toy.url}${path}`, headers, method, body);

describe('a method that a path does not have', () => {
  test.each([
    ['/graphql', 'PUT', 'GET, HEAD, POST, OPTIONS'],
    ['/graphql', 'PATCH', 'GET, HEAD, POST, OPTIONS'],
    ['/graphql', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
    ['/graphql?query={hello}', 'PROPFIND', 'GET, HEAD, POST, OPTIONS'],
    ['/healthz', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/readyz', 'POST', 'GET, HEAD, OPTIONS'],
    ['/metrics', 'TRACE', 'GET, HEAD, OPTIONS'],
    ['/things/7', 'PATCH', 'GET, HEAD, PUT, OPTIONS'],
    ['/things', 'GET', 'POST, OPTIONS'],
  ])('%s refuses %s with 405, and Allow says what there is', async (path, method, allow) => {
    const { status, headers, body } = await raw(path, {}, method);
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
    const { error, errors } = JSON.parse(body.toString());
    expect(path.startsWith('/graphql') ? errors[0].extensions.code : error.code).toBe('METHOD_NOT_ALLOWED');
  });

  test('is refused whatever body comes with it, and a path without any is a 404 all the same', async () => {
    const type = { 'content-type': 'text/xml', 'content-length': '2' };
    expect((await raw('/things/7', type, 'PATCH', '<>')).status).toBe(405);
    expect((await raw('/nothing', type, 'PATCH', '<>')).status).toBe(404);
  });

  test('OPTIONS says which there are', async () => {
    const { status, headers } = await raw('/things/7', {}, 'OPTIONS');
    expect([status, headers.allow]).toEqual([204, 'GET, HEAD, PUT, OPTIONS']);
    expect((await raw('/nothing', {}, 'OPTIONS')).status).toBe(404);
  });
});

describe('every answer', () => {
  test.each([
    ['a page', '/page', 'GET'],
    ['a probe', '/healthz', 'GET'],
    ['a refusal', '/nothing', 'GET'],
    ['a refused method', '/graphql', 'PUT'],
    ['a refused query', '/graphql', 'POST'],
    ['a URL that cannot be read', '/%zz', 'GET'],
    ['a path that is too long', `/nothing/${'x'.repeat(2_000)}`, 'GET'],
    ['a request that cannot be read', '/', 'NONE'],
  ])('%s has the security headers and a correlation id', async (_, path, method) => {
    const { headers } = await raw(path, {}, method);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'strict-transport-security': expect.stringContaining('max-age='),
      'cross-origin-resource-policy': 'same-origin',
      'x-correlation-id': expect.any(String),
    });
  });
});

describe('who is refused while still sending', () => {
  test.each([
    ['with its length told', (length: number) => `Content-Length: ${length}\r\n\r\n`],
    ['in chunks', () => 'Transfer-Encoding: chunked\r\n\r\n'],
  ])('a body that is too large, %s, is told 413, and not cut off', async (_, head) => {
    const size = 8 * 1024 ** 2;
    // Like an HTTP client it sends on when the server has said all that it has to say.
    const socket = connect({ port: Number(new URL(toy.url).port), host: '127.0.0.1', allowHalfOpen: true });
    const answer = text(socket);
    socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head(size)}`);
    const chunk = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < size; sent += chunk.length) {
      const piece = head(0).startsWith('Transfer')
        ? Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
        : chunk;
      if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve));
    }
    if (head(0).startsWith('Transfer')) socket.write('0\r\n\r\n');
    socket.end();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*PAYLOAD_TOO_LARGE/s);
  });

  test('also by clients that send all of it before they read', async () => {
    const body = JSON.stringify({ query: `{ hello } #${'x'.repeat(20 * 1024 ** 2)}` });
    for (const path of ['/graphql', '/things']) {
      const answer = await fetch(`${toy.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(413);
      expect(await answer.text()).toContain('PAYLOAD_TOO_LARGE');
    }
  });

  test('a client that does not stop sending is cut off in the end', async () => {
    const socket = connect(Number(new URL(toy.url).port), '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(`POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`);
    socket.write(`Content-Length: ${1024 ** 4}\r\n\r\n`);
    const chunk = Buffer.alloc(1024 ** 2);
    const send = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', send).resume();
    send();
    await closed;
  });
});

describe.skipIf(isOlderThan(24, 9))('a request that offers a protocol which is not known here', () => {
  const h2c = {
    connection: 'Upgrade, HTTP2-Settings',
    upgrade: 'h2c',
    'http2-settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
  };

  test('is answered as if it did not', async () => {
    const page = await raw('/page', h2c);
    expect([page.status, String(page.body)]).toEqual([200, '{"text":"page"}']);
    expect((await raw('/healthz', { ...h2c, upgrade: 'TLS/1.0, h2c' })).status).toBe(200);
    const posted = { ...h2c, 'content-type': 'application/json' };
    const answer = await raw('/graphql', posted, 'POST', '{"query":"{ hello }"}');
    expect(JSON.parse(String(answer.body))).toEqual({ data: { hello: 'Hello you' } });
  });

  test('and for a WebSocket too is asked for one', async () => {
    const answer = await raw('/page', { ...h2c, upgrade: 'h2c, WebSocket' });
    expect(answer.status).toBe(404);
  });
});

function isOlderThan(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

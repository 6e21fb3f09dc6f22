import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

const LONG = 'a line of a long text; '.repeat(200);

let toy: Toy;
let development: Toy;
beforeAll(async () => {
  toy = await startToy({
    routes(app) {
      app.get('/long', () => ({ text: LONG }));
      app.get('/short', () => ({ text: 'short' }));
      app.get('/picture', (_, reply) => reply.type('image/png').send(Buffer.from(LONG)));
      app.get('/events', (_, reply) => reply.type('text/event-stream').send(`data: ${LONG}\n\n`));
      app.get('/things/:id', () => ({}));
      app.put('/things/:id', () => ({}));
      app.post('/things', () => ({}));
    },
  });
  development = await startToy({ development: true });
});
afterAll(() => Promise.all([toy.edge.close(), development.edge.close()]));

/** The answer as it is on the wire: `fetch` would decompress it. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: Record<string, string | string[] | undefined>;
    body: Buffer;
  }>();
  httpRequest(`${toy.url}${path}`, { method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () =>
      resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
    );
  })
    .on('error', reject)
    .end(body);
  return promise;
}

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

describe('a body that is sent compressed', () => {
  const gzipped = gzipSync('{"query":"{ hello }"}').toString('latin1');

  test.each(['/graphql', '/things'])(
    'is refused by %s with 415, and its client is told why',
    async (path) => {
      for (const encoding of ['gzip', 'BR', 'deflate, gzip']) {
        const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
        const { status, body } = await raw(path, headers, 'POST', gzipped);
        const { error, errors } = JSON.parse(body.toString());
        const { code, message } = error ?? { ...errors[0], ...errors[0].extensions };
        expect({ status, code, message }).toEqual({
          status: 415,
          code: 'UNSUPPORTED_MEDIA_TYPE',
          message: 'A body is sent without Content-Encoding',
        });
      }
    },
  );

  test('is no other than a plain one where its encoding is none', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await raw('/things', headers, 'POST', '{}')).status).toBe(200);
  });
});

describe('every answer', () => {
  test.each([
    ['a page', '/long', 'GET'],
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

  test('of GraphiQL lets its own scripts run, and browsers of localhost are not bound to TLS', async () => {
    const { headers } = await fetch(`${development.url}/graphiql`);
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
  });
});

describe('CORS', () => {
  const preflight = (url: string, origin: string, asked: string) =>
    fetch(`${url}/graphql`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });

  test.each([
    'authorization',
    'content-type',
    'idempotency-key',
    'apollographql-client-name',
    'apollographql-client-version',
    'apollo-require-preflight',
    'traceparent',
    'tracestate',
    'baggage',
  ])('lets clients send %s', async (header) => {
    const { status, headers } = await preflight(toy.url, 'https://app.example', header);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
    expect(headers.get('access-control-allow-methods')?.split(', ')).toContain('POST');
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThanOrEqual(600);
    expect(headers.get('vary')).toMatch(/\borigin\b/i);
  });

  test.each([
    ['http://localhost:3000', true],
    ['http://localhost', true],
    ['https://localhost:5173', true],
    ['http://127.0.0.1:8080', true],
    ['http://[::1]:4321', true],
    ['http://app.localhost:3000', true],
    ['http://localhost.evil.example', false],
    ['http://notlocalhost:3000', false],
    ['http://localhost:3000.evil.example', false],
    ['https://evil.example', false],
    ['null', false],
  ])('of %s is allowed in development: %s, and never in production', async (origin, allowed) => {
    const inDevelopment = await preflight(development.url, origin, 'content-type');
    expect(inDevelopment.headers.get('access-control-allow-origin')).toBe(allowed ? origin : null);
    const inProduction = await preflight(toy.url, origin, 'content-type');
    expect(inProduction.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('answers vary by origin, also those to requests without one', async () => {
    expect((await raw('/short')).headers.vary).toMatch(/\borigin\b/i);
  });
});

describe('compression', () => {
  const encodings = { br: brotliDecompressSync, gzip: gunzipSync };

  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
  ] as const)('to who takes %s, a long answer comes as %s', async (accepted, encoding) => {
    const { headers, body } = await raw('/long', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(body.length).toBeLessThan(LONG.length / 4);
    expect(JSON.parse(encodings[encoding](body).toString())).toEqual({ text: LONG });
  });

  test.each([
    ['a short answer', '/short', 'br'],
    ['a picture', '/picture', 'br'],
    ['a stream of events', '/events', 'br'],
    ['an answer to who says nothing of it', '/long', undefined],
    ['an answer to who takes none', '/long', 'identity'],
    ['an answer to who refuses it', '/long', 'br;q=0, gzip;q=0'],
  ])('%s comes as it is', async (_, path, accepted) => {
    const { status, headers } = await raw(
      path,
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('answers of GraphQL too, and caches keep the two apart', async () => {
    const query = JSON.stringify({ query: `{ hello(name: "${LONG}") }` });
    const headers = { 'content-type': 'application/json' };
    const plain = await raw('/graphql', headers, 'POST', query);
    const small = await raw('/graphql', { ...headers, 'accept-encoding': 'br' }, 'POST', query);
    expect(plain.headers.vary).toMatch(/accept-encoding/i);
    expect(brotliDecompressSync(small.body)).toEqual(plain.body);
  });
});

describe('Accept', () => {
  const JSON_TYPE = 'application/json; charset=utf-8';
  const GRAPHQL = 'application/graphql-response+json; charset=utf-8';
  const refused = JSON.stringify({ query: '{ nothing }' });
  const ask = async (accept: string | undefined, body: string) => {
    const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
    const answer = await raw('/graphql', headers, 'POST', body);
    return [answer.status, answer.headers['content-type']];
  };

  test.each([
    [undefined, JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/graphql-response+json', GRAPHQL],
    ['application/graphql-response+json;q=0, application/json', JSON_TYPE],
    ['application/json;q=0, application/graphql-response+json;q=0.1', GRAPHQL],
    ['application/json;q=0, */*', GRAPHQL],
    ['application/graphql-response+json;q=0.5, application/json', JSON_TYPE],
  ])('%s is answered with %s, and refused with the same', async (accept, type) => {
    expect(await ask(accept, JSON.stringify({ query: '{ hello }' }))).toEqual([200, type]);
    expect(await ask(accept, refused)).toEqual([400, type]);
    expect(await ask(accept, '{')).toEqual([400, type]);
  });

  test('what is not to be had is refused in JSON', async () => {
    expect(await ask('text/html', JSON.stringify({ query: '{ hello }' }))).toEqual([406, JSON_TYPE]);
    expect(await ask('application/json;q=0', refused)).toEqual([400, JSON_TYPE]);
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

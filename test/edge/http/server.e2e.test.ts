import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { post, startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
let development: Toy;
beforeAll(async () => {
  toy = await startToy();
  development = await startToy({ development: true });
});
afterAll(() => Promise.all([toy.edge.close(), development.edge.close()]));

describe('the rest of HTTP', () => {
  test('correlation ids that are sane come back, others are replaced', async () => {
    const idFor = async (given: Record<string, string>) =>
      (await fetch(`${toy.url}/healthz`, { headers: given })).headers.get('x-correlation-id');
    expect(await idFor({ 'x-correlation-id': 'abc' })).toBe('abc');
    expect(await idFor({ 'x-request-id': 'def' })).toBe('def');
    expect(await idFor({})).toMatch(/^[0-9a-f-]{36}$/);
    expect(await idFor({ 'x-correlation-id': 'x'.repeat(129) })).toMatch(/^[0-9a-f-]{36}$/);
    expect(toy.logLines).toContainEqual(
      expect.objectContaining({ correlationId: 'abc', status: 200, path: '/healthz' }),
    );
  });

  test('an unknown path is a JSON 404', async () => {
    const response = await fetch(`${toy.url}/nowhere?x=1`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { code: 'NOT_FOUND', message: 'Nothing answers GET /nowhere', path: null },
    });
  });

  test('an unknown path is a page for those who want one, where there is one', async () => {
    const withPage = await startToy({
      notFoundPage: ({ headers }, reply) => {
        if (headers.accept !== 'text/html') return false;
        reply.code(404).type('text/html').send('<title>nothing here</title>');
        return true;
      },
    });
    const ask = async (path: string, accept: string) => {
      const response = await fetch(`${withPage.url}${path}`, { headers: { accept } });
      return [
        response.status,
        response.headers.get('content-type'),
        response.headers.has('x-correlation-id'),
      ];
    };
    expect(await ask('/nowhere', 'text/html')).toEqual([404, 'text/html', true]);
    expect(await ask('/nowhere', '*/*')).toEqual([404, 'application/json; charset=utf-8', true]);
    await withPage.edge.close();
  });

  test.each([
    [
      'breaks off',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
      400,
    ],
    ['is none', 'HELLO\r\n\r\n', 400],
    ['has too large headers', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('a request that %s is told so, as every error is', async (_, sent, status) => {
    const socket = connect(Number(new URL(toy.url).port), '127.0.0.1');
    socket.end(sent);
    const answer = await text(socket);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({
      error: { code: 'BAD_USER_INPUT', message: expect.any(String), path: null },
    });
  });

  test('only allowed origins may read answers', async () => {
    const preflight = (origin: string) =>
      fetch(`${toy.url}/graphql`, { method: 'OPTIONS', headers: { origin } });
    const allowed = await preflight('https://app.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    const other = await preflight('https://evil.example');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('readiness checks at the same time share the answers of the dependencies', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = vi.fn(() => promise);
    const slow = await startToy({ readiness: { postgres: check } });
    const asked = Array.from({ length: 20 }, () => fetch(`${slow.url}/readyz`));
    // Answered after all of them have arrived.
    await vi.waitFor(async () => {
      const metrics = await fetch(`${slow.url}/healthz`);
      expect(metrics.status).toBe(200);
      expect(check).toHaveBeenCalled();
    });
    resolve();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(check.mock.calls.length).toBeLessThan(20);
    await fetch(`${slow.url}/readyz`);
    await slow.edge.close();
  });

  test('readiness names what is missing, and metrics count operations', async () => {
    const halfReady = await startToy({
      readiness: {
        redis: () => Promise.resolve(),
        postgres: () => Promise.reject(new Error('connect to db.internal')),
      },
    });
    const response = await fetch(`${halfReady.url}/readyz`);
    const text = await response.text();
    expect(response.status).toBe(503);
    expect(JSON.parse(text)).toMatchObject({
      checks: { redis: { status: 'ok' }, postgres: { status: 'error' } },
    });
    expect(text).not.toContain('db.internal');
    for (let use = 1; use <= 3; use += 1) await post(halfReady, '{ hello }');
    await post(halfReady, '{ secret }');
    const metrics = await (await fetch(`${halfReady.url}/metrics`)).text();
    expect(metrics).toContain('graphql_requests_total{operation_type="query",outcome="ok"} 3');
    expect(metrics).toContain('graphql_errors_masked_total 1');
    expect(metrics).toContain('graphql_request_duration_seconds_count 4');
    await halfReady.edge.close();
  });

  test('plain routes get the request, and fail in the shape of REST', async () => {
    const withRoutes = await startToy({
      routes(app, openRequest) {
        app.get('/who', async (request, reply) => ({
          who: (await openRequest(request, reply)).viewer?.userId,
        }));
        app.get('/fails', () => Promise.reject(new Error('password=hunter2')));
        app.post('/echo', (request) => Promise.resolve(request.body));
      },
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${withRoutes.url}${path}`, { headers });
    const authorization = `Bearer ${await withRoutes.token()}`;
    expect(await (await get('/who', { authorization })).json()).toEqual({ who: 'alice' });
    const refused = await get('/who', { authorization: 'Bearer x' });
    expect([refused.status, await refused.json()]).toMatchObject([
      401,
      { error: { code: 'UNAUTHENTICATED' } },
    ]);
    const failed = await get('/fails');
    expect([failed.status, await failed.json()]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }]);
    const malformed = await fetch(`${withRoutes.url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect([malformed.status, await malformed.json()]).toMatchObject([
      400,
      { error: { code: 'BAD_USER_INPUT' } },
    ]);
    await withRoutes.edge.close();
  });

  test('what is wrong with a URL or with text is refused before any route sees it, in the shape of REST', async () => {
    const seen: unknown[] = [];
    const withRoutes = await startToy({
      routes(app) {
        app.get('/things/:id/summary', async ({ params }) => void seen.push(params));
        app.post('/echo', async ({ body }) => void seen.push(body));
      },
    });
    const { app } = withRoutes.edge;
    const post = (payload: unknown) =>
      app.inject({
        method: 'POST',
        url: '/echo',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(payload),
      });
    const refused = [
      [await app.inject('/things/%E0%A4%A/summary'), 400],
      [await app.inject(`/things/${'x'.repeat(1_100)}/summary`), 414],
      [await app.inject('/things/a%00b/summary'), 400],
      [await app.inject('/things/a/summary?q=%00'), 400],
      [await post({ deep: [{ text: 'a\0' }] }), 400],
      [await post({ 'a\0': 1 }), 400],
      [await post(JSON.parse('{"deep": [{"__proto__": 1}]}')), 400],
      [await post({ constructor: { prototype: 1 } }), 400],
      [await post({ text: '\ud800' }), 400],
    ] as const;
    for (const [answer, status] of refused) {
      expect([answer.statusCode, answer.json()]).toEqual([
        status,
        { error: { code: 'BAD_USER_INPUT', message: expect.any(String), path: null } },
      ]);
      expect(answer.headers['x-correlation-id']).toBeDefined();
    }
    expect(seen).toEqual([]);
    expect((await app.inject(`/things/${'x'.repeat(300)}/summary`)).statusCode).toBe(200);
    expect((await post({ text: '👍', constructor: 'x' })).statusCode).toBe(200);
    await withRoutes.edge.close();
  });

  test('closing lets a request in flight finish, and answers no new one', async () => {
    const slow = Promise.withResolvers<void>();
    const closing = await startToy({ slow: { release: slow.promise } });
    const answer = post(closing, '{ slow }');
    await vi.waitFor(() => expect(closing.requests).toHaveLength(1), 15_000);
    const closed = closing.edge.close();
    const ask = () =>
      fetch(`${closing.url}/healthz`).then(
        ({ status }) => status,
        () => 503,
      );
    await vi.waitFor(async () => expect(await ask()).toBe(503), 15_000);
    slow.resolve();
    expect((await answer).body).toEqual({ data: { slow: 'done' } });
    await closed;
  });
});

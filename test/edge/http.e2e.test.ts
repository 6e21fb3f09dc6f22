import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { post, startToy, type Toy } from './toy-edge.js';

let toy: Toy;
let development: Toy;
beforeAll(async () => {
  toy = await startToy();
  development = await startToy({ development: true });
});
afterAll(() => Promise.all([toy.edge.close(), development.edge.close()]));

/** Apollo answers this one: its Accept header needs negotiation. */
const throughApollo = { accept: 'application/json;q=0.9, application/graphql-response+json;q=0.1' };

describe.each([
  ['plain', {}],
  ['through Apollo', throughApollo],
])('GraphQL over HTTP, %s', (_, headers) => {
  test('a query is answered', async () => {
    const query =
      'query Greet($name: String, $loud: Boolean = false) { hello(name: $name) viewer @include(if: $loud) }';
    const { status, body } = await post(toy, query, { variables: { name: 'Ann' }, headers });
    expect({ status, body }).toEqual({ status: 200, body: { data: { hello: 'Hello Ann' } } });
    const loud = await post(toy, query, { variables: { loud: true }, headers });
    expect(loud.body).toEqual({ data: { hello: 'Hello you', viewer: null } });
  });

  test('one of several operations is chosen by name, and none is guessed', async () => {
    const query = 'query A { hello } query B { viewer }';
    expect((await post(toy, query, { operationName: 'A', headers })).body).toEqual({
      data: { hello: 'Hello you' },
    });
    expect((await post(toy, query, { operationName: 'B', headers })).body).toEqual({
      data: { viewer: null },
    });
    for (const operationName of [undefined, 'C']) {
      const { status, body } = await post(toy, query, { ...(operationName && { operationName }), headers });
      expect(status).toBe(400);
      expect(body.errors?.[0]?.extensions.code).toBe('OPERATION_RESOLUTION_FAILURE');
    }
  });

  test('mutations run one after the other', async () => {
    toy.journal.length = 0;
    const { body } = await post(toy, 'mutation { a: step(name: "a") b: step(name: "b") }', { headers });
    expect(body).toEqual({ data: { a: 'a', b: 'b' } });
    expect(toy.journal).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  test.each([
    ['{ hello', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['{ hello goodbye farewell }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($v: Int!) { number(value: $v) }', {}, 'BAD_USER_INPUT'],
    ['query ($v: Int!) { number(value: $v) }', { v: 'x' }, 'BAD_USER_INPUT'],
    ['query ($v: Int!) { number(value: $v) }', { v: 3_000_000_000 }, 'BAD_USER_INPUT'],
    ['query ($v: Even) { even(value: $v) }', { v: 3 }, 'BAD_USER_INPUT'],
    ['{ even(value: 3) }', undefined, 'BAD_USER_INPUT'],
    ['{ even(colour: BLUE) }', undefined, 'BAD_USER_INPUT'],
    ['query ($c: Colour) { even(colour: $c) }', { c: 'BLUE' }, 'BAD_USER_INPUT'],
    ['subscription { forever }', undefined, 'BAD_REQUEST'],
    [`{ node { ${'self { '.repeat(11)} name ${'}'.repeat(13)}`, undefined, 'QUERY_TOO_DEEP'],
    [
      `{ node { ${Array.from({ length: 31 }, (_, i) => `a${i}: name`).join(' ')} } }`,
      undefined,
      'TOO_MANY_ALIASES',
    ],
    [`{ node { ${'name '.repeat(51)} } }`, undefined, 'TOO_MANY_REPEATED_FIELDS'],
    [`{ node { ${'name '.repeat(2_000)} } }`, undefined, 'TOO_MANY_TOKENS'],
    [
      `{ ${Array.from({ length: 21 }, (_, i) => `a${i}: hello`).join(' ')} }`,
      undefined,
      'TOO_MANY_ROOT_FIELDS',
    ],
    ['{ items(first: 3000) { edges { node { name } } } }', undefined, 'QUERY_TOO_COSTLY'],
    ['query ($n: Int) { items(first: $n) { edges { node { name } } } }', { n: 3000 }, 'QUERY_TOO_COSTLY'],
    ['{ __schema { types { name } } }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
  ])(
    'a bad document or variable is refused before anything runs, with one error (%#)',
    async (query, variables, code) => {
      const before = toy.requests.length;
      const { status, body } = await post(toy, query, { ...(variables && { variables }), headers });
      expect(status).toBe(400);
      expect(body.errors).toHaveLength(1);
      expect(body.errors?.[0]?.extensions).toEqual({ code });
      expect(body.data).toBeUndefined();
      expect(toy.requests.length).toBe(before);
    },
  );

  test('an unexpected error reaches clients as an id, and the log in full', async () => {
    for (const field of ['secret', 'teapot', 'broken']) {
      const { status, body } = await post(toy, `{ ${field} }`, {
        headers: { ...headers, 'x-correlation-id': 'corr-1' },
      });
      expect(status).toBe(200);
      const [error] = body.errors ?? [];
      expect(error).toMatchObject({
        message: 'Internal error',
        path: [field],
        extensions: { code: 'INTERNAL_ERROR' },
      });
      const lines = toy.logLines.filter(({ errorId }) => errorId === error?.extensions.errorId);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({ level: 50, correlationId: 'corr-1' });
    }
    expect(JSON.stringify(toy.logLines)).toContain('hunter2');
  });

  test('a public error keeps its code and message', async () => {
    const { body } = await post(toy, '{ refused }', { headers });
    expect(body.data).toEqual({ refused: null });
    expect(body.errors).toMatchObject([
      { message: 'Not yours', path: ['refused'], extensions: { code: 'FORBIDDEN' } },
    ]);
  });

  test('an argument that only a null variable made wrong is the client’s fault', async () => {
    const { body } = await post(toy, 'query ($v: Int) { number(value: $v) }', {
      variables: { v: null },
      headers,
    });
    expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  test('a token says who asks; a wrong or expired one is refused', async () => {
    const authorization = `Bearer ${await toy.token()}`;
    expect((await post(toy, '{ viewer }', { headers: { ...headers, authorization } })).body.data).toEqual({
      viewer: 'alice',
    });
    for (const wrong of ['Bearer nonsense', 'Basic YTpi', `Bearer ${await toy.token(-5)}`]) {
      const { status, body } = await post(toy, '{ viewer }', {
        headers: { ...headers, authorization: wrong },
      });
      expect({ status, code: body.errors?.[0]?.extensions.code }).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    }
  });
});

describe('GraphQL over HTTP', () => {
  test('suggestions and introspection are for development only', async () => {
    const inProduction = await post(toy, '{ helo }');
    expect(inProduction.body.errors?.[0]?.message).toBe('Cannot query field "helo" on type "Query".');
    const inDevelopment = await post(development, '{ helo }');
    expect(inDevelopment.body.errors?.[0]?.message).toContain('Did you mean "hello"?');
    const { getIntrospectionQuery } = await import('graphql');
    const { status, body } = await post(development, getIntrospectionQuery());
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  });

  test('GET answers queries, never mutations, and never without a sign that no form sent it', async () => {
    const get = (query: string, headers: Record<string, string> = { 'apollo-require-preflight': '1' }) =>
      fetch(`${toy.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
    expect(await (await get('{ hello }')).json()).toEqual({ data: { hello: 'Hello you' } });
    expect((await get('mutation { step(name: "a") }')).status).toBe(405);
    expect((await get('{ hello }', {})).status).toBe(400);
  });

  test('bodies that are no GraphQL request are refused', async () => {
    const send = async (raw: string, type = 'application/json') => {
      const { status, body } = await post(toy, '', { raw, headers: { 'content-type': type } });
      expect(body.errors?.[0]?.message).toBeTruthy();
      return status;
    };
    expect(await send('{"query":')).toBe(400);
    expect(await send('')).toBe(400);
    expect(await send('{}')).toBe(400);
    expect(await send('[{"query":"{hello}"}]')).toBe(400);
    expect(await send('{"query":"{hello}","variables":"x"}')).toBe(400);
    expect(await send('{"query":7}')).toBe(400);
    expect(await send('<hello/>', 'text/xml')).toBe(415);
    expect(await send('{"query":"{hello}"}', 'text/plain')).toBe(400);
    expect(await send(JSON.stringify({ query: `{ hello } #${'x'.repeat(1_100_000)}` }))).toBe(413);
  });

  test('a client that goes away aborts its request', async () => {
    toy.journal.length = 0;
    const leaving = new AbortController();
    const asked = toy.requests.length;
    const answer = fetch(`${toy.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ untilGone }' }),
      signal: leaving.signal,
    }).catch(() => 'left');
    await vi.waitFor(() => expect(toy.requests.length).toBe(asked + 1));
    leaving.abort();
    expect(await answer).toBe('left');
    await vi.waitFor(() => expect(toy.journal).toEqual(['gone']));
  });
});

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

  test('only allowed origins may read answers', async () => {
    const preflight = (origin: string) =>
      fetch(`${toy.url}/graphql`, { method: 'OPTIONS', headers: { origin } });
    const allowed = await preflight('https://app.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      'https://app.example',
    ]);
    const other = await preflight('https://evil.example');
    expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([404, null]);
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
    await post(halfReady, '{ hello }');
    await post(halfReady, '{ secret }');
    const metrics = await (await fetch(`${halfReady.url}/metrics`)).text();
    expect(metrics).toContain('graphql_requests_total{operation_type="query",outcome="ok"} 1');
    expect(metrics).toContain('graphql_documents_compiled_total 2');
    expect(metrics).toContain('graphql_errors_masked_total 1');
    expect(metrics).toContain('graphql_request_duration_seconds_count 2');
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

  test('closing lets a request in flight finish, and answers no new one', async () => {
    const slow = Promise.withResolvers<void>();
    const closing = await startToy({ slow: { release: slow.promise } });
    const answer = post(closing, '{ slow }');
    await vi.waitFor(() => expect(closing.requests).toHaveLength(1));
    const closed = closing.edge.close();
    const ask = () =>
      fetch(`${closing.url}/healthz`).then(
        ({ status }) => status,
        () => 503,
      );
    await vi.waitFor(async () => expect(await ask()).toBe(503));
    slow.resolve();
    expect((await answer).body).toEqual({ data: { slow: 'done' } });
    await closed;
  });
});

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { post, startToy, type Toy } from '../toy-edge.js';

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
    ['{ hello(name: "a\\u0000b") }', undefined, 'BAD_USER_INPUT'],
    ['query ($n: String) { hello(name: $n) }', { n: 'a\0b' }, 'BAD_USER_INPUT'],
    ['query ($n: String) { hello(name: $n) }', { n: '\ud800' }, 'BAD_USER_INPUT'],
    ['query ($n: Int) { items(first: $n) { totalCount } }', { n: [['a\0b']] }, 'BAD_USER_INPUT'],
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
    [
      `{ ${Array.from({ length: 15 }, (_, i) => `a${i}: node { ...F }`).join(' ')} } fragment F on Node { ${Array.from({ length: 45 }, () => 'tags name').join(' ')} }`,
      undefined,
      'QUERY_TOO_COSTLY',
    ],
    ['{ __schema { types { name } } }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['{ node { ...F } } fragment F on Node { self { ...F } }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
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

  test('an argument that only a null variable made wrong is the client’s fault, interpreted or compiled', async () => {
    for (let use = 1; use <= 3; use += 1) {
      const { body } = await post(toy, 'query ($v: Int) { number(value: $v) }', {
        variables: { v: null },
        headers,
      });
      expect(body.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
    }
  });

  test('text that only the database can see to be wrong is the client’s fault too', async () => {
    const { body } = await post(toy, '{ unstorable }', { headers });
    expect(body.errors).toMatchObject([{ path: ['unstorable'], extensions: { code: 'BAD_USER_INPUT' } }]);
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
    await vi.waitFor(() => expect(toy.requests.length).toBe(asked + 1), 15_000);
    leaving.abort();
    expect(await answer).toBe('left');
    await vi.waitFor(() => expect(toy.journal).toEqual(['gone']), 15_000);
  });
});

import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawAnswer } from '../raw-answer.js';
import { startToy, type Toy } from '../toy-edge.js';

const LONG = 'a line of a long text; '.repeat(200);

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({
    routes(app) {
      app.get('/long', () => ({ text: LONG }));
      app.get('/short', () => ({ text: 'short' }));
      app.get('/picture', (_, reply) => reply.type('image/png').send(Buffer.from(LONG)));
      app.get('/events', (_, reply) => reply.type('text/event-stream').send(`data: ${LONG}\n\n`));
      app.post('/things', () => ({}));
    },
  });
});
afterAll(() => toy.edge.close());

const raw = (path: string, headers?: Record<string, string>, method?: string, body?: string) =>
  rawAnswer(`${toy.url}${path}`, headers, method, body);

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

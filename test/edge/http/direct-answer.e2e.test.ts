import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawAnswer } from '../raw-answer.js';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy();
});
afterAll(() => toy.edge.close());

const JSON_POST = { 'content-type': 'application/json' };

function ask(body: object, headers: Record<string, string> = {}) {
  return rawAnswer(`${toy.url}/graphql`, { ...JSON_POST, ...headers }, 'POST', JSON.stringify(body));
}

/** Without what differs from one request to the next. */
const shown = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>) => {
  const { date: _date, 'x-correlation-id': _id, ...others } = headers;
  return { status, headers: others, body: body.toString('latin1').replace(/"errorId":"[^"]*"/g, '') };
};

describe('an answer that Node gets directly is, to the byte, what Fastify sends', () => {
  test.each([
    [
      'ASCII',
      { query: 'query ($name: String) { hello(name: $name) }', variables: { name: 'plain "quoted"' } },
    ],
    [
      'Latin-1 beyond ASCII',
      { query: 'query ($name: String) { hello(name: $name) }', variables: { name: 'é' } },
    ],
    [
      'characters beyond Latin-1',
      { query: 'query ($name: String) { hello(name: $name) }', variables: { name: '日本 🙂' } },
    ],
    ['thousands of characters', { query: '{ items(first: 900) { edges { node { name tags } } } }' }],
    ['an error', { query: '{ teapot hello }' }],
    ['null that passed all places', { query: '{ broken }' }],
    [
      'variables that are refused',
      { query: 'query ($first: Int!) { items(first: $first) { totalCount } }', variables: { first: 'x' } },
    ],
    ['too high a cost', { query: '{ items(first: 100000) { edges { node { name } } } }' }],
  ])('%s', async (_, body) => {
    // Asked for any encoding, even for none, answers go Fastify's way.
    const expected = shown(await ask(body, { 'accept-encoding': 'identity' }));
    expect(shown(await ask(body))).toEqual(expected);
    expect(shown(await ask(body))).toEqual(expected);
  });

  test('with the security headers and the correlation id of every answer', async () => {
    const { headers } = await ask({ query: '{ hello }' }, { 'x-correlation-id': 'mine' });
    expect(headers).toMatchObject({
      'x-correlation-id': 'mine',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      vary: 'Origin, accept-encoding',
    });
  });

  test('and is compressed where its client wants it', async () => {
    const { headers } = await ask(
      { query: '{ items(first: 900) { edges { node { name tags } } } }' },
      { 'accept-encoding': 'gzip' },
    );
    expect(headers['content-encoding']).toBe('gzip');
  });
});

describe('the same bytes, asked again,', () => {
  test('are answered for the user who asks', async () => {
    const body = { query: 'query ($name: String) { viewer hello(name: $name) }', variables: { name: 'x' } };
    const authorization = `Bearer ${await toy.token()}`;
    const answers = [await ask(body), await ask(body, { authorization }), await ask(body)];
    const viewers = answers.map((answer) => JSON.parse(answer.body.toString()).data.viewer);
    expect(viewers).toEqual([null, expect.any(String), null]);
  });

  test('are held against the limits anew where another operation of the document is named', async () => {
    const query =
      'query A($n: Int) { items(first: $n) { totalCount } } query B($n: Int) { number(value: 1) items(last: $n) { totalCount } }';
    for (const operationName of ['A', 'B', 'A', 'B']) {
      const { body } = await ask({ query, operationName, variables: { n: 3 } });
      expect(Object.keys(JSON.parse(body.toString()).data)).toHaveLength(operationName === 'A' ? 1 : 2);
    }
  });

  test('with a number that would be rounded are refused each time', async () => {
    const body = '{"query":"{ hello }","variables":{"n":12345678901234567890}}';
    for (const _ of [1, 2, 3]) {
      const { status } = await rawAnswer(`${toy.url}/graphql`, JSON_POST, 'POST', body);
      expect(status).toBe(400);
    }
  });
});

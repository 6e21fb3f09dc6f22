import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy();
});
afterAll(() => toy.edge.close());

interface Asked {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Record<string, unknown> | null;
}

type Errors = readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
interface Answer {
  readonly data?: unknown;
  readonly errors?: Errors;
}

/** What does not differ from one request to the next. */
const shown = ({ data, errors }: Answer) => ({
  data: data ?? undefined,
  errors: errors?.map(({ message, extensions }) => ({ message, code: extensions?.code })),
});

const byPost =
  (accept: string) =>
  async (asked: Asked): Promise<Answer> => {
    const response = await fetch(`${toy.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(asked),
    });
    return (await response.json()) as Answer;
  };

async function byGet({ query, operationName, variables }: Asked): Promise<Answer> {
  const search = new URLSearchParams({ query });
  if (typeof operationName === 'string') search.set('operationName', operationName);
  if (variables) search.set('variables', JSON.stringify(variables));
  const headers = { 'apollo-require-preflight': 'yes' };
  return (await (await fetch(`${toy.url}/graphql?${search}`, { headers })).json()) as Answer;
}

async function bySocket(asked: Asked): Promise<Answer> {
  const client = createClient({ url: toy.socketUrl, webSocketImpl: WebSocket, retryAttempts: 0 });
  try {
    return await new Promise((resolve) => {
      let answer: Answer = {};
      client.subscribe(asked, {
        next: (value) => {
          answer = value as Answer;
        },
        error: (errors) => resolve({ errors: errors as Errors }),
        complete: () => resolve(answer),
      });
    });
  } finally {
    await client.dispose();
  }
}

const ways = {
  'plain POST': byPost('application/json'),
  'POST through Apollo': byPost('application/json;q=0.9, application/graphql-response+json;q=0.1'),
  GET: byGet,
  WebSocket: bySocket,
};

const several = '{ hello } query B { viewer }';
test.each<[what: string, asked: Asked]>([
  ['no name', { query: '{ hello }' }],
  ['null as the name', { query: '{ hello }', operationName: null }],
  ['an empty name', { query: '{ hello }', operationName: '' }],
  ['an empty name of a named operation', { query: 'query A { hello }', operationName: '' }],
  [
    'an empty name of several operations',
    { query: 'query A { hello } query B { viewer }', operationName: '' },
  ],
  ['no name of several operations', { query: 'query A { hello } query B { viewer }' }],
  ['a name', { query: 'query A { hello } query B { viewer }', operationName: 'B' }],
  ['a name that is not there', { query: 'query A { hello }', operationName: 'C' }],
  ['a name beside an anonymous operation', { query: several, operationName: 'B' }],
  ['null as the variables', { query: 'query ($n: String) { hello(name: $n) }', variables: null }],
  ['a variable too many', { query: 'query ($n: String) { hello(name: $n) }', variables: { n: 'x', m: [1] } }],
  ['errors', { query: '{ secret refused broken }' }],
  ['a variable named __proto__', { query: '{ hello }', variables: JSON.parse('{"__proto__": {"n": "x"}}') }],
])('%s is answered alike whatever way it comes, and whoever asked before', async (what, asked) => {
  const answers: [way: string, ReturnType<typeof shown>][] = [];
  for (const [way, ask] of Object.entries(ways)) {
    // Each way meets a document that nobody has sent.
    const own = { ...asked, query: `${asked.query} # ${what} by ${way}` };
    answers.push([`${way}, first`, shown(await ask(own))]);
    const { operationName: _, ...nameless } = own;
    await ways['plain POST'](nameless);
    await ways['plain POST']({ ...own, operationName: 'A' });
    answers.push([`${way}, later`, shown(await ask(own))]);
  }
  const [, expected] = answers[0]!;
  for (const [way, answer] of answers) expect(answer, way).toEqual(expected);
});

test.each([
  ['by itself', '{"__proto__": 1}'],
  ['inside a variable', '{"n": {"a": [{"__proto__": 1}]}}'],
  ['of a constructor', '{"constructor": {"prototype": 1}}'],
])('the name of a prototype is refused among variables, %s, whatever way it comes', async (_, variables) => {
  const query = 'query ($n: String) { hello(name: $n) }';
  for (const [way, ask] of Object.entries(ways)) {
    const { data, errors } = await ask({ query, variables: JSON.parse(variables) });
    expect({ data, code: errors?.[0]?.extensions?.code }, way).toEqual({ code: 'BAD_USER_INPUT' });
    expect(errors?.[0]?.message, way).toMatch(/__proto__/);
  }
});

test('a variable may be named constructor', async () => {
  const query = 'query ($constructor: String) { hello(name: $constructor) }';
  for (const [way, ask] of Object.entries(ways))
    expect(await ask({ query, variables: { constructor: 'x' } }), way).toMatchObject({
      data: { hello: expect.anything() },
    });
});

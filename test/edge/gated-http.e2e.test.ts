import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateRequest, Verdict } from '../../src/edge/gate.js';
import { handMadeGate, reading, rejected, verdict } from './hand-made-gate.js';
import { startToy, type Toy } from './toy-edge.js';

const spent = reading({ rule: 'query_cost', counts: 'query_cost', limit: 100 }, { remaining: 4 });
let decide: (request: GateRequest) => Verdict;
const gate = handMadeGate((request) => decide(request));
let toy: Toy;
beforeAll(async () => {
  toy = await startToy({ gate, proxies: { trustedProxies: ['127.0.0.1/32'] } });
});
afterAll(() => toy.edge.close());

/** A network for each test: nobody is held liable for what another test did. */
let networks = 0;
let somebody: Record<string, string>;
beforeEach(() => {
  gate.decide.mockClear();
  networks += 1;
  somebody = { 'x-forwarded-for': `198.51.100.${networks}` };
});

const refuseOperations =
  (refusal: Verdict) =>
  ({ part }: GateRequest) =>
    part === 'arrival' ? verdict() : refusal;
const partsAsked = () => gate.decide.mock.calls.map(([{ part }]) => part);

async function ask(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${toy.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...somebody, ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers: answered } = response;
  return { status, headers: answered, body: (await response.json()) as Record<string, unknown> };
}

describe('a refused operation', () => {
  it('is answered alike, however it was asked', async () => {
    decide = refuseOperations(rejected(spent));
    const query = '{ hello }';
    const plain = await ask('/graphql', { query });
    expect(plain.status).toBe(429);
    expect(plain.headers.get('retry-after')).toBe('5');
    expect(plain.body).toMatchObject({
      error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 5 },
      errors: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED', retryAfter: 5 } }],
    });
    const others = [
      await ask(`/graphql?query=${encodeURIComponent(query)}`, undefined, {
        'apollo-require-preflight': '1',
      }),
      await ask('/graphql', { query }, { accept: 'application/graphql-response+json' }),
      await ask('/graphql', { query, extensions: {} }),
    ];
    for (const { status, headers, body } of others) {
      expect(status).toBe(429);
      expect(headers.get('retry-after')).toBe('5');
      expect(body).toEqual(plain.body);
    }
    expect(others.map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/json; charset=utf-8',
      'application/graphql-response+json; charset=utf-8',
      'application/json; charset=utf-8',
    ]);
  });

  it('says what it would have cost, and what there is', async () => {
    decide = refuseOperations(rejected(spent));
    const { body } = await ask('/graphql', { query: '{ items(first: 9) { edges { node { name } } } }' });
    expect(body.errors).toMatchObject([
      {
        extensions: {
          cost: {
            requestedQueryCost: 20,
            actualQueryCost: null,
            throttleStatus: { maximumAvailable: 100, currentlyAvailable: 4 },
          },
        },
      },
    ]);
  });
});

it('an answer past a soft limit says so in its extensions too', async () => {
  decide = () => verdict({ outcome: 'DEGRADE' });
  const degraded = await ask('/graphql', { query: '{ hello }' });
  expect(degraded.headers.get('x-ratelimit-outcome')).toBe('DEGRADE');
  expect(degraded.body.extensions).toEqual({ degraded: true });
  decide = () => verdict();
  expect((await ask('/graphql', { query: '{ hello }' })).body).not.toHaveProperty('extensions');
});

describe('a body', () => {
  /** Sends the head of a request, and nothing of its body. */
  async function statusOfHeadAlone(headers: Record<string, string | number>): Promise<number | undefined> {
    const request = httpRequest(`${toy.url}/graphql`, {
      method: 'POST',
      headers: { ...somebody, 'content-type': 'application/json', ...headers },
    });
    request.on('error', () => undefined);
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.destroy();
    return response.statusCode;
  }

  it.each([
    ['that is large', { 'content-length': 32_769 }],
    ['of which nobody knows how large it is', { 'transfer-encoding': 'chunked' }],
  ])('%s has to arrive at the gate before it is read', async (_, headers) => {
    decide = () => rejected();
    expect(await statusOfHeadAlone(headers)).toBe(429);
    expect(partsAsked()).toEqual(['arrival']);
  });

  it('that is large is charged for its arrival once', async () => {
    decide = () => verdict();
    const query = `{ hello } #${'x'.repeat(40_000)}`;
    expect((await ask('/graphql', { query })).status).toBe(200);
    expect((await ask('/graphql', { query })).status).toBe(200);
    expect(partsAsked()).toEqual(['arrival', 'operation', 'arrival', 'operation']);
  });

  it('that is small passes the gate whole once its document is known', async () => {
    decide = () => verdict();
    await ask('/graphql', { query: '{ known: hello }' });
    gate.decide.mockClear();
    await ask('/graphql', { query: '{ known: hello }' });
    expect(partsAsked()).toEqual(['whole']);
  });
});

it('whose operations were refused again and again is refused unread for the rest of a second', async () => {
  decide = refuseOperations(rejected(spent));
  const query = '{ hello }';
  const together = await Promise.all(Array.from({ length: 6 }, () => ask('/graphql', { query })));
  expect(together.map(({ status }) => status)).toEqual(Array(6).fill(429));
  gate.decide.mockClear();
  const unread = await ask('/graphql', { query: '{ never seen' });
  expect(unread.status).toBe(429);
  expect(unread.body).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, errors: [{}] });
  expect(gate.decide).not.toHaveBeenCalled();
});

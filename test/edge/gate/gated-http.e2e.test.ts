import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { admitOperations, gatedToy, NULLED, NULLED_ANSWER, refuseOperations } from '../gated-toy.js';
import { decision, rejected } from '../hand-made-gate.js';

const toy = gatedToy();

async function ask(path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${toy.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...toy.somebody, ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers: answered } = response;
  return { status, headers: answered, body: (await response.json()) as Record<string, unknown> };
}

describe('a refused operation', () => {
  it('is answered alike, however it was asked', async () => {
    toy.decide = refuseOperations;
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

  it('gets nothing back of what was read before a field failed', async () => {
    toy.decide = admitOperations;
    expect((await ask('/graphql', { query: NULLED })).body).toMatchObject(NULLED_ANSWER);
  });

  it('says what it would have cost, and what there is', async () => {
    toy.decide = refuseOperations;
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
  toy.decide = () => decision({ outcome: 'DEGRADE' });
  const degraded = await ask('/graphql', { query: '{ hello }' });
  expect(degraded.headers.get('x-ratelimit-outcome')).toBe('DEGRADE');
  expect(degraded.body.extensions).toEqual({ degraded: true });
  toy.decide = () => decision();
  expect((await ask('/graphql', { query: '{ hello }' })).body).not.toHaveProperty('extensions');
});

describe('a body', () => {
  /** Sends the head of a request, and nothing of its body. */
  async function statusOfHeadAlone(headers: Record<string, string | number>): Promise<number | undefined> {
    const request = httpRequest(`${toy.url}/graphql`, {
      method: 'POST',
      headers: { ...toy.somebody, 'content-type': 'application/json', ...headers },
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
    toy.decide = () => rejected();
    expect(await statusOfHeadAlone(headers)).toBe(429);
    expect(toy.partsAsked()).toEqual(['request']);
  });

  it('that is large is charged once, before it is read', async () => {
    toy.decide = () => decision();
    const query = `{ hello } #${'x'.repeat(40_000)}`;
    expect((await ask('/graphql', { query })).status).toBe(200);
    expect((await ask('/graphql', { query })).status).toBe(200);
    expect(toy.partsAsked()).toEqual(['request', 'operation', 'request', 'operation']);
  });

  it('that is small is checked in one step once its document is known', async () => {
    toy.decide = () => decision();
    await ask('/graphql', { query: '{ known: hello }' });
    toy.gate.decide.mockClear();
    await ask('/graphql', { query: '{ known: hello }' });
    expect(toy.partsAsked()).toEqual(['whole']);
  });
});

it('a request whose refusal the gate knows is refused before its document is read', async () => {
  toy.gate.decide.mockClear();
  toy.gate.decideLocally.mockReturnValueOnce(rejected());
  const unread = await ask('/graphql', { query: '{ never seen' });
  expect(unread.status).toBe(429);
  expect(unread.body).toMatchObject({ error: { code: 'RATE_LIMIT_EXCEEDED' }, errors: [{}] });
  expect(toy.gate.decide).not.toHaveBeenCalled();
});

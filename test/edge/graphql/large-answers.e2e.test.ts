import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { post, startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
beforeAll(async () => {
  toy = await startToy({
    limits: { maxResponseBytes: 65_536, maxCost: 100_000 },
    routes(app) {
      app.get('/large', () => ({ text: 'é'.repeat(40_000) }));
    },
  });
});
afterAll(() => toy.edge.close());

const large = '{ items(first: 2000) { edges { node { name tags } } } }';
const tooLarge = { data: null, errors: [{ extensions: { code: 'RESPONSE_TOO_LARGE' } }] };

async function* overSocket(query: string) {
  const client = createClient({ url: toy.socketUrl, webSocketImpl: WebSocket });
  try {
    yield* client.iterate({ query });
  } finally {
    await client.dispose();
  }
}

describe('an answer past the limit is the error alone', () => {
  test('over plain POST, the first time and the tenth: status 200, since it ran', async () => {
    for (let time = 1; time <= 10; time += 1)
      expect(await post(toy, large)).toMatchObject({ status: 200, body: tooLarge });
  });

  test('over Apollo’s way', async () => {
    const headers = { accept: 'application/json; charset=utf-8' };
    expect(await post(toy, large, { headers })).toMatchObject({ status: 200, body: tooLarge });
  });

  test('over a socket, of a query and of a subscription’s event, which goes on', async () => {
    for await (const answer of overSocket(large)) expect(answer).toMatchObject(tooLarge);
    let events = 0;
    for await (const answer of overSocket('subscription { flood }')) {
      expect(answer).toMatchObject(tooLarge);
      events += 1;
      if (events === 2) break;
    }
    expect(events).toBe(2);
  });

  test('over REST, with status 400', async () => {
    const response = await fetch(`${toy.url}/large`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'RESPONSE_TOO_LARGE' } });
  });

  test('and smaller ones are answered as ever', async () => {
    const { body } = await post(toy, large.replace('2000', '20'));
    expect(body.errors).toBeUndefined();
    expect(body.data?.items).toBeDefined();
  });
});

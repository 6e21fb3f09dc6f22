import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startToy, type Toy } from '../toy-edge.js';

const refusal = {
  message: 'A number that would be rounded must come as a string',
  extensions: { code: 'BAD_USER_INPUT' },
};

let toy: Toy;
beforeAll(async () => {
  toy = await startToy();
});
afterAll(() => toy.edge.close());

describe('a variable that JSON parsing would round is refused', () => {
  test.each(['0.99999999999999999999', '4.00000000000000000001', '9007199254740993'])(
    'over HTTP: %s',
    async (number) => {
      const answer = await fetch(`${toy.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"query":"query ($v: Even) { even(value: $v) }","variables":{"v":${number}}}`,
      });
      expect([answer.status, await answer.json()]).toEqual([400, { errors: [refusal] }]);
    },
  );

  test('over a WebSocket, whose other operations go on', async () => {
    const socket = new WebSocket(toy.socketUrl, 'graphql-transport-ws');
    const messages: { id?: string; type: string; payload?: unknown }[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await once(socket, 'open');
    socket.send('{"type":"connection_init"}');
    await vi.waitFor(() => expect(messages).toHaveLength(1), 15_000);
    const query = '"query ($v: Even) { even(value: $v) }"';
    const ask = (id: string, number: string) =>
      socket.send(
        `{"id":"${id}","type":"subscribe","payload":{"query":${query},"variables":{"v":${number}}}}`,
      );
    ask('long', '4.00000000000000000001');
    ask('short', '4');
    await vi.waitFor(() => expect(messages.at(-1)).toMatchObject({ id: 'short', type: 'complete' }), 15_000);
    expect(messages.find(({ id }) => id === 'long')).toEqual({
      id: 'long',
      type: 'error',
      payload: [refusal],
    });
    socket.terminate();
  });
});

test('a body that is not JSON is refused as such, whatever numbers it has', async () => {
  const answer = await fetch(`${toy.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"query":12345678901234567',
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
});

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  toy = await startToy();
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
  await toy.edge.close();
});

it('an open socket keeps nothing of the request that opened it', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const requests: WeakRef<IncomingMessage>[] = [];
  toy.edge.app.server.prependListener('upgrade', (request) => requests.push(new WeakRef(request)));
  for (let n = 0; n < 5; n += 1) {
    const socket = new WebSocket(toy.socketUrl, 'graphql-transport-ws');
    sockets.push(socket);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init' }));
    await once(socket, 'message');
    socket.send(
      JSON.stringify({ id: '1', type: 'subscribe', payload: { query: 'subscription { forever }' } }),
    );
  }
  expect(requests).toHaveLength(sockets.length);
  await expect
    .poll(() => {
      collect();
      return requests.filter((request) => request.deref() !== undefined).length;
    })
    .toBe(0);
  expect(sockets.every((socket) => socket.readyState === WebSocket.OPEN)).toBe(true);
});

import { once } from 'node:events';
import { connect } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cutSlowReaders } from '../../../src/edge/http/slow-clients.js';

/** More than sockets keep for whoever does not read. */
const ANSWER = Buffer.alloc(64 * 1024 * 1024, 'a');

let app: FastifyInstance;
let port: number;
let stillOpen = 0;
beforeAll(async () => {
  app = fastify();
  // A busy machine may let a reader wait that long.
  cutSlowReaders(app, 1_000);
  app.server.on('connection', (socket) => {
    stillOpen += 1;
    socket.once('close', () => (stillOpen -= 1));
  });
  app.get('/much', () => ANSWER);
  app.get('/late', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    setTimeout(resolve, 1_500, 'late');
    return promise;
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});
afterAll(() => app?.close());

const ask = (path: string) => {
  const socket = connect(port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return socket;
};

it('cuts off a client that reads nothing of its answer', async () => {
  const socket = ask('/much');
  await once(app.server, 'connection');
  await vi.waitFor(() => expect(stillOpen).toBe(0), 10_000);
  socket.destroy();
});

it('leaves alone who reads, and who waits for an answer that takes longer', async () => {
  const [much, late] = await Promise.all(
    ['much', 'late'].map(async (path) => (await fetch(`http://127.0.0.1:${port}/${path}`)).text()),
  );
  expect([much?.length, late]).toEqual([ANSWER.length, 'late']);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cutSlowBodies } from '../../../src/edge/http/slow-clients.js';

const DEADLINE_MS = 100;

let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  app = fastify();
  cutSlowBodies(app, DEADLINE_MS);
  app.addContentTypeParser('text/slow', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, null));
  });
  app.post('/plain', () => 'taken');
  app.post('/upload', { config: { slowBody: true } }, () => 'taken');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(address).port);
});
afterAll(() => app?.close());

/** Sends a request's head and half of its body. */
async function half(path: string): Promise<{ socket: Socket; answer(): Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/slow\r\nContent-Length: 4\r\n\r\nab`,
  );
  const closed = once(socket, 'close');
  return { socket, answer: () => closed.then(() => text) };
}

it('cuts off a client that leaves a body half-sent', async () => {
  const { answer } = await half('/plain');
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});

it('waits longer where the route takes uploads', async () => {
  const [upload, plain] = [await half('/upload'), await half('/plain')];
  // The other one began later, and its time is over: so is this one's, had it the same.
  await plain.answer();
  upload.socket.write('cd');
  expect(await upload.answer()).toMatch(/^HTTP\/1\.1 200 .*taken$/s);
});

it('leaves whole bodies and requests without one alone', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/plain`, {
    method: 'POST',
    headers: { 'content-type': 'text/slow' },
    body: 'abcd',
  });
  expect([answer.status, await answer.text()]).toEqual([200, 'taken']);
  expect((await fetch(`http://127.0.0.1:${port}/nothing`)).status).toBe(404);
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cutSlowBodies } from '../../../src/edge/http/slow-clients.js';

const DEADLINE_MS = 100;

let app: FastifyInstance;
let port: number;
/** How many deadlines there were at each refusal. */
let deadlines: number[];
beforeAll(async () => {
  app = fastify();
  cutSlowBodies(app, DEADLINE_MS);
  app.addHook('onRequest', async (request, reply) => {
    if (request.url !== '/refused') return;
    if (vi.isFakeTimers()) deadlines.push(vi.getTimerCount());
    return reply.code(429).send('refused');
  });
  app.addContentTypeParser('text/slow', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, null));
  });
  app.post('/plain', () => 'taken');
  app.post('/refused', () => 'taken');
  app.post('/upload', { config: { slowBody: true } }, () => 'taken');
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  port = Number(new URL(address).port);
});
afterAll(() => app?.close());

/** Sends a request's head and some of its four bytes. */
async function send(
  path: string,
  body: string,
  connection: 'close' | 'keep-alive' = 'close',
): Promise<{ socket: Socket; received(): string; answer(): Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Type: text/slow\r\nContent-Length: 4\r\n\r\n${body}`,
  );
  const closed = once(socket, 'close');
  return { socket, received: () => text, answer: () => closed.then(() => text) };
}

it('cuts off a client that leaves a body half-sent', async () => {
  const { answer } = await send('/plain', 'ab');
  expect(await answer()).toMatch(/^HTTP\/1\.1 408 /);
});

it('cuts off a client whose refused body does not come to its end, without a second answer', async () => {
  const { answer } = await send('/refused', 'ab', 'keep-alive');
  const all = await answer();
  expect(all).toMatch(/^HTTP\/1\.1 429 .*refused$/s);
  expect(all.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('waits longer where the route takes uploads', async () => {
  const [upload, plain] = [await send('/upload', 'ab'), await send('/plain', 'ab')];
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

describe('a request that is over has no deadline left, which would keep it in memory:', () => {
  afterEach(() => vi.useRealTimers());

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await turn();
  }

  it.each([
    ['one that was taken', '/plain', 'abcd', ' 200 ', undefined],
    ['one that was refused', '/refused', 'abcd', ' 429 ', undefined],
    ['one that was refused before the rest of its body came', '/refused', 'ab', ' 429 ', 'cd'],
    ['one that was refused, whose client left', '/refused', 'ab', ' 429 ', 'leave'],
    ['one whose client left', '/plain', 'ab', '', 'leave'],
  ])('%s', async (_, path, body, status, then) => {
    deadlines = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const arrived = once(app.server, 'request');
    const { socket, received } = await send(path, body, 'keep-alive');
    await arrived;
    await until(() => received().includes(status));
    if (path === '/refused') expect(deadlines).toEqual([1]);
    if (then === 'leave') socket.destroy();
    else if (then) socket.write(then);
    await until(() => vi.getTimerCount() === 0);
    socket.destroy();
  });
});

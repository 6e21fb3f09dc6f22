import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { cutSlowBodies } from '../../../src/edge/http/slow-clients.js';

const DEADLINE_MS = 100;

/** No test takes so long. */
const NEVER_MS = 3_600_000;

let app: FastifyInstance;
let patient: FastifyInstance;
let port: number;
beforeAll(async () => {
  [app, patient] = [await start(DEADLINE_MS), await start(NEVER_MS)];
  port = portOf(app);
});
afterAll(() => Promise.all([app?.close(), patient?.close()]));

const portOf = ({ server }: FastifyInstance): number => (server.address() as AddressInfo).port;

async function start(deadlineMs: number): Promise<FastifyInstance> {
  const app = fastify();
  cutSlowBodies(app, deadlineMs);
  app.addHook('onRequest', async (request, reply) => {
    if (request.url !== '/refused') return;
    return reply.code(429).send('refused');
  });
  app.addContentTypeParser('text/slow', (_request, payload, done) => {
    payload.resume().on('end', () => done(null, null));
  });
  app.post('/plain', () => 'taken');
  app.post('/refused', () => 'taken');
  app.post('/upload', { config: { slowBody: true } }, () => 'taken');
  await app.listen({ host: '127.0.0.1', port: 0 });
  return app;
}

/** Sends a request's head and some of its four bytes. */
async function send(
  path: string,
  body: string,
  connection: 'close' | 'keep-alive' = 'close',
  to = port,
): Promise<{ socket: Socket; received(): string; answer(): Promise<string> }> {
  const socket = connect(to, '127.0.0.1');
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
  afterEach(() => vi.restoreAllMocks());

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }

  it.each([
    ['one that was taken', '/plain', 'abcd', ' 200 ', undefined],
    ['one that was refused', '/refused', 'abcd', ' 429 ', undefined],
    ['one that was refused before the rest of its body came', '/refused', 'ab', ' 429 ', 'cd'],
    ['one that was refused, whose client left', '/refused', 'ab', ' 429 ', 'leave'],
    ['one whose client left', '/plain', 'ab', '', 'leave'],
  ])('%s', async (_, path, body, status, then) => {
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const { socket, received } = await send(path, body, 'keep-alive', portOf(patient));
    const indexOfDeadline = () => set.mock.calls.findIndex(([, ms]) => ms === NEVER_MS);
    await until(() => indexOfDeadline() !== -1 && received().includes(status));
    const deadline: unknown = set.mock.results[indexOfDeadline()]?.value;
    if (then === 'leave') socket.destroy();
    else if (then) socket.write(then);
    await until(() => clear.mock.calls.some(([timer]) => timer === deadline));
    socket.destroy();
  });
});

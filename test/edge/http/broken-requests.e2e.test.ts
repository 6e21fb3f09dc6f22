import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
let stream: PassThrough;
const releases = new Map<string, () => void>();
beforeEach(async () => {
  releases.clear();
  stream = new PassThrough();
  toy = await startToy({
    routes(app) {
      app.post('/posted', async () => ({ posted: true }));
      app.get('/stream', (_, reply) => reply.type('text/plain').header('content-length', 10).send(stream));
      app.get<{ Params: { number: string } }>('/run/:number', async ({ params: { number } }) => {
        await new Promise<void>((resolve) => releases.set(number, resolve));
        return { number };
      });
    },
  });
});
afterEach(() => toy.edge.close());

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const open = () => connect(Number(new URL(toy.url).port), '127.0.0.1');
const answersIn = (all: string) => all.split(/(?=HTTP\/1\.1 )/).filter((one) => one.startsWith('HTTP'));
const statusOf = (answer: string) => Number(answer.split(' ')[1]);
const post = (headers: string, body: string) =>
  `POST /posted HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`;

const broken: readonly [what: string, sent: string, status: number][] = [
  ['no HTTP', 'NONSENSE\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3', '{}'), 400],
  ['a body in chunks that are none', post('Transfer-Encoding: chunked', 'zz\r\n'), 400],
];

describe.each(broken)('%s', (_, sent, status) => {
  test('is refused, and its connection ends', async () => {
    const socket = open();
    const all = text(socket);
    socket.write(sent);
    expect(answersIn(await all).map(statusOf)).toEqual([status]);
  });

  test('behind requests that run is refused behind their answers', async () => {
    const socket = open();
    const all = text(socket);
    socket.write(get('/run/1') + get('/run/2'));
    await vi.waitFor(() => expect(releases.size).toBe(2), 10_000);
    const refused = vi.fn();
    toy.edge.app.server.once('clientError', refused);
    socket.write(sent);
    await vi.waitFor(() => expect(refused).toHaveBeenCalled(), 10_000);
    socket.write('more of it');
    releases.get('2')?.();
    releases.get('1')?.();
    const answers = answersIn(await all);
    expect(answers.map(statusOf)).toEqual([200, 200, status]);
    expect(answers.slice(0, 2).map((answer) => answer.split('\r\n\r\n')[1])).toEqual([
      '{"number":"1"}',
      '{"number":"2"}',
    ]);
  });

  test('behind an answer that is being sent leaves it whole', async () => {
    const socket = open();
    const all = text(socket);
    const begun = new Promise((resolve) => socket.once('data', resolve));
    socket.write(get('/stream'));
    stream.write('01234');
    await begun;
    const refused = vi.fn();
    toy.edge.app.server.once('clientError', refused);
    socket.write(sent);
    await vi.waitFor(() => expect(refused).toHaveBeenCalled(), 10_000);
    stream.end('56789');
    const answers = answersIn(await all);
    expect(answers[0]).toMatch(/\r\n\r\n0123456789$/);
    expect(answers.map(statusOf)).toEqual([200, status]);
  });
});

test.each([
  ['refused', '/nowhere', 404],
  ['accepted', '/graphql', 101],
])('an upgrade behind requests that run is %s behind their answers', async (_, path, status) => {
  const socket = open();
  let all = '';
  socket.on('data', (chunk) => (all += chunk));
  const asked = new Promise((resolve) => toy.edge.app.server.once('upgrade', resolve));
  socket.write(
    `${get('/run/1')}GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  );
  await asked;
  await vi.waitFor(() => expect(releases.size).toBe(1), 10_000);
  await new Promise((resolve) => setImmediate(resolve));
  releases.get('1')?.();
  await vi.waitFor(() => expect(answersIn(all).map(statusOf)).toEqual([200, status]), 10_000);
  socket.destroy();
});

test('a client that goes away leaves nothing that waits', async () => {
  const socket = open();
  socket.write(get('/run/1'));
  await vi.waitFor(() => expect(releases.size).toBe(1), 10_000);
  socket.write('NONSENSE\r\n\r\n');
  socket.resetAndDestroy();
  const connections = () =>
    new Promise<number>((resolve) => toy.edge.app.server.getConnections((_, count) => resolve(count)));
  await vi.waitFor(async () => expect(await connections()).toBe(0), 10_000);
  releases.get('1')?.();
});

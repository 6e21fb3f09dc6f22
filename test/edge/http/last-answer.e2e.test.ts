import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
let ran: string[];
beforeEach(async () => {
  ran = [];
  toy = await startToy({
    routes(app) {
      app.post<{ Params: { name: string } }>('/run/:name', async ({ params }) => {
        ran.push(params.name);
        return { ran: params.name };
      });
    },
  });
});
afterEach(() => toy.edge.close());

const SIZE = 2 * 1024 ** 2;
const post = (path: string, head: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${head}\r\n`;
const behind = `${post('/run/behind', 'Content-Length: 2\r\n')}{}`;

/** A client that sends on whatever it is told, and what it was told. */
function open() {
  const socket = connect({ port: Number(new URL(toy.url).port), host: '127.0.0.1', allowHalfOpen: true });
  const told: string[] = [];
  socket.on('data', (data) => told.push(data.toString('latin1'))).on('error', () => undefined);
  const closed = new Promise((done) => socket.once('close', done));
  const statuses = () => told.join('').match(/(?<=HTTP\/1\.1 )\d+/g);
  return { socket, closed, statuses };
}

test.each([
  ['with its length told', `Content-Length: ${SIZE}\r\n`, 'x'.repeat(SIZE)],
  ['in chunks', 'Transfer-Encoding: chunked\r\n', `${SIZE.toString(16)}\r\n${'x'.repeat(SIZE)}\r\n0\r\n\r\n`],
])('what comes behind a body that is too large, %s, does not run', async (_, head, body) => {
  const { socket, closed, statuses } = open();
  socket.write(post('/run/refused', head) + body.slice(0, -10));
  await vi.waitFor(() => expect(statuses()).toEqual(['413']), 10_000);
  socket.end(body.slice(-10) + behind);
  await closed;
  expect(statuses()).toEqual(['413']);
  expect(ran).toEqual([]);
});

test('what came before a body that is too large is answered', async () => {
  const { socket, closed, statuses } = open();
  socket.end(`${behind}${post('/run/refused', `Content-Length: ${SIZE}\r\n`)}${'x'.repeat(SIZE)}`);
  await closed;
  expect(statuses()).toEqual(['200', '413']);
  expect(ran).toEqual(['behind']);
});

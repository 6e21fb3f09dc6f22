import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
const ran: number[] = [];
/** Answers that are there, though they may not be sent yet. */
const given: string[] = [];
const releases = new Map<number, () => void>();
beforeEach(async () => {
  ran.length = 0;
  given.length = 0;
  releases.clear();
  toy = await startToy({
    routes(app) {
      app.addHook('onSend', async ({ url }, { statusCode }) => void given.push(`${statusCode} ${url}`));
      app.get<{ Params: { number: number } }>('/run/:number', async ({ params }) => {
        const number = Number(params.number);
        ran.push(number);
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
const closes = (answer: string) => /\r\nconnection: close\r\n/i.test(answer);
const release = (number: number) => releases.get(number)?.();

describe('while a process is about to end', () => {
  test.each([
    ['in their order', [1, 2, 3]],
    ['the last first', [3, 2, 1]],
  ])('every request that ran is answered, though three came at once and end %s', async (_, order) => {
    const socket = open();
    toy.edge.announceEnd();
    const all = text(socket);
    socket.write(get('/run/1') + get('/run/2') + get('/run/3'));
    await vi.waitFor(() => expect(releases.size).toBe(3), 10_000);
    for (const number of order) {
      release(number);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const answers = answersIn(await all);
    expect(answers.map((answer) => answer.split('\r\n\r\n')[1])).toEqual(
      [1, 2, 3].map((number) => JSON.stringify({ number })),
    );
    expect(answers.map(closes)).toEqual([false, false, true]);
  });

  test('what comes once the connection’s last answer was given does not run', async () => {
    const socket = open();
    toy.edge.announceEnd();
    const all = text(socket);
    socket.write(get('/run/1') + get('/run/2'));
    await vi.waitFor(() => expect(releases.size).toBe(2), 10_000);
    release(2);
    // Its answer waits behind the first, and says already that it is the last.
    await vi.waitFor(() => expect(given).toContain('200 /run/2'), 10_000);
    socket.write(get('/run/3'));
    await vi.waitFor(() => expect(given).toContain('503 /run/3'), 10_000);
    release(1);
    expect(answersIn(await all)).toHaveLength(2);
    expect(ran).toEqual([1, 2]);
  });

  test.each(['/healthz', '/nowhere', '/%zz', `/run/${'x'.repeat(2_000)}`])(
    'the answer to %s says that the connection ends',
    async (path) => {
      toy.edge.announceEnd();
      const socket = open();
      const all = text(socket);
      socket.write(get(path));
      const [answer, ...more] = answersIn(await all);
      expect(more).toEqual([]);
      expect(closes(answer!)).toBe(true);
    },
  );
});

test('before that no answer does', async () => {
  const socket = open();
  const all = text(socket);
  socket.write(
    `${get('/%zz')}${get('/healthz')}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const answers = answersIn(await all);
  expect(answers.map(closes)).toEqual([false, false, true]);
});

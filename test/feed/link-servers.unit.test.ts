import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchPage } from '../../src/domains/feed/links/fetch-page.js';
import { NoPage } from '../../src/domains/feed/links/no-page.js';

const HTML = 'Content-Type: text/html\r\n';
const PART = '<title>Ferries</title><meta property="og:im';
const again = (socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), 50);
  socket.once('close', () => clearInterval(timer));
};
/** What servers do with their sockets once they were asked. */
const behaviours: Record<string, (socket: Socket) => void> = {
  '/101': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  '/101-unasked': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  '/hang-up': (socket) => socket.end(),
  '/hang-up-in-head': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
  '/silence': () => undefined,
  '/103-for-ever': (socket) => again(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  '/headers-for-ever': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    again(socket, 'A: b\r\n');
  },
  '/body-of-no-length': (socket) => socket.write(`HTTP/1.1 200 OK\r\n${HTML}\r\n${PART}`),
  '/body-of-a-length': (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n${HTML}Content-Length: 1000\r\n\r\n${PART}`),
  '/trailers-for-ever': (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${HTML}Transfer-Encoding: chunked\r\n\r\n3\r\n<p>\r\n0\r\n`);
    again(socket, 'A: b\r\n');
  },
};

let server: Server;
let host: string;
const sockets = new Set<Socket>();
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', (data) =>
      behaviours[/^GET (\S+)/.exec(data.toString('latin1'))?.[1] ?? '']?.(socket),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const fetched = (path: string, signal = new AbortController().signal, protocol = 'http') =>
  fetchPage(new URL(`${protocol}://${host}${path}`), new Set([host]), signal);

describe('a server that is asked for a page', () => {
  it.concurrent.each(['/101', '/101-unasked'])('switches protocols, which is no page: %s', async (path) => {
    await expect(fetched(path)).rejects.toThrow(NoPage);
  });

  it.concurrent.each(['/hang-up', '/hang-up-in-head'])(
    'ends without an answer, which may pass: %s',
    async (path) => {
      const error = await fetched(path).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(NoPage);
    },
  );

  it.concurrent.each([
    '/silence',
    '/103-for-ever',
    '/headers-for-ever',
    '/body-of-no-length',
    '/body-of-a-length',
    '/trailers-for-ever',
  ])('is left after five seconds, and what it said until then is no page: %s', async (path) => {
    await expect(fetched(path)).rejects.toThrow('no answer in 5000 ms');
  });

  it.concurrent('is left after five seconds of a TLS handshake', async () => {
    await expect(fetched('/', undefined, 'https')).rejects.toThrow('no answer in 5000 ms');
  });

  it.concurrent('whose quota does not answer is given up after five seconds, too', async () => {
    const never = fetchPage(
      new URL(`http://${host}/`),
      new Set([host]),
      new AbortController().signal,
      () => new Promise(() => {}),
    );
    await expect(never).rejects.toThrow('no answer in 5000 ms');
  });
});

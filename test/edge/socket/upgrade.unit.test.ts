import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openGate } from '../../../src/edge/gate/rate-limit-check.js';
import { watchAnswers } from '../../../src/edge/http/open-answers.js';
import { createUpgrade } from '../../../src/edge/socket/upgrade.js';
import { createAuthenticator } from '../../../src/platform/auth/auth.js';
import { systemClock } from '../../../src/platform/clock.js';

/** More than sockets keep for whoever does not read. */
const MUCH = Buffer.alloc(64 * 1024 * 1024, 'a');

let server: Server;
let answered = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    response.end(MUCH);
    answered += 1;
  });
  watchAnswers(server);
  server.on(
    'upgrade',
    createUpgrade({
      authenticator: createAuthenticator({ secret: 'x'.repeat(32) }, systemClock),
      gate: () => openGate,
      addressOf: () => ({ ip: '127.0.0.1', network: '127.0.0.1' }),
      documentationUrl: 'https://limits.example',
      mayCall: () => true,
      logger: pino({ level: 'silent' }),
      closing: () => false,
      openSockets: { fullBy: () => undefined },
      accept: () => expect.unreachable(),
      idleMs: 500,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

it('a client that reads no answer is cut off, though it asks for a socket besides', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
  socket.on('error', () => undefined);
  const [connection] = await once(server, 'connection');
  const closed = once(connection, 'close');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(answered).toBe(1), 10_000);
  const upgraded = once(server, 'upgrade');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await upgraded;
  await closed;
  socket.destroy();
});

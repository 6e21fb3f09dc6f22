import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { openGate } from '../../../src/edge/gate/rate-limit-check.js';
import { ClientSocket } from '../../../src/edge/socket/client-socket.js';
import { Connection } from '../../../src/edge/socket/connection.js';
import { createSignIn } from '../../../src/edge/socket/sign-in.js';
import type { Viewer } from '../../../src/platform/auth/auth.js';

it('a client that leaves while its token is checked leaves nothing that waits for the token to expire', async () => {
  const checked = Promise.withResolvers<Viewer>();
  const expiries = { add: vi.fn() };
  const signIn = createSignIn({
    authenticator: { authenticate: () => checked.promise, mustLookUp: () => false },
    gate: () => openGate,
    expiries,
  });
  const moveTo = vi.fn(() => true);
  const connection = new Connection(Object.create(ClientSocket.prototype), pino({ level: 'silent' }), {
    socketId: 'one',
    correlationId: undefined,
    traceparent: undefined,
    credentials: undefined,
    address: { ip: '192.0.2.1', network: '192.0.2.1' },
    place: { moveTo, leave: () => undefined },
  });
  const signedIn = signIn(connection, { authorization: 'Bearer x' });
  connection.end();
  checked.resolve({
    userId: 'ann',
    roles: new Set(),
    plan: 'free',
    expiresAt: Date.now() + 86_400_000,
  });
  expect(await signedIn).toBe(false);
  expect(moveTo).not.toHaveBeenCalled();
  expect(expiries.add).not.toHaveBeenCalled();
});

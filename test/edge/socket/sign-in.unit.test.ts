import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { openGate } from '../../../src/edge/gate/rate-limit-check.js';
import type { Connection } from '../../../src/edge/socket/connection.js';
import { createSignIn } from '../../../src/edge/socket/sign-in.js';
import type { Viewer } from '../../../src/platform/auth/auth.js';
import { systemClock } from '../../../src/platform/clock.js';
import { openSocket } from '../idle-socket.js';

afterEach(() => vi.useRealTimers());

it('a client that leaves while its token is checked leaves nothing that waits for the token to expire', async () => {
  vi.useFakeTimers();
  const checked = Promise.withResolvers<Viewer>();
  const signIn = createSignIn({
    authenticator: { authenticate: () => checked.promise, mustLookUp: () => false },
    gate: () => openGate,
    clock: systemClock,
  });
  const gone = new AbortController();
  const moveTo = vi.fn(() => true);
  const connection: Connection = {
    socket: openSocket().socket,
    correlationId: undefined,
    logger: pino({ level: 'silent' }),
    credentials: undefined,
    address: { ip: '192.0.2.1', network: '192.0.2.1' },
    place: { moveTo, leave: () => undefined },
    viewer: null,
    open: new Map(),
    leftUnchecked: new Set(),
    gone: gone.signal,
  };
  const signedIn = signIn(connection, { authorization: 'Bearer x' });
  gone.abort();
  checked.resolve({
    userId: 'ann',
    roles: new Set(),
    plan: 'free',
    expiresAt: Date.now() + 86_400_000,
  });
  expect(await signedIn).toBe(false);
  expect(moveTo).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

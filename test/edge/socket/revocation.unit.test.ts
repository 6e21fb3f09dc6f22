import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeWhenRevoked } from '../../../src/edge/socket/expiry.js';
import { PublicError } from '../../../src/platform/errors.js';
import { openSocket } from '../idle-socket.js';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const silent = { warn: () => undefined };
const refused = () => Promise.reject(new PublicError('UNAUTHENTICATED', 'The API key is not valid'));
const away = () => Promise.reject(new PublicError('SERVICE_UNAVAILABLE', 'Not for now'));

test('a socket ends within a minute of its key no longer being accepted', async () => {
  const { socket, close } = openSocket();
  const authenticate = vi.fn<() => Promise<unknown>>(() => Promise.resolve({}));
  closeWhenRevoked(socket, authenticate, silent);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(authenticate).toHaveBeenCalledTimes(10);
  expect(close).not.toHaveBeenCalled();
  authenticate.mockImplementation(refused);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(close).toHaveBeenCalledWith(4403, 'Forbidden');
});

test('a key that cannot be judged for now keeps its socket, and is looked at again', async () => {
  const { socket, close } = openSocket();
  const authenticate = vi.fn<() => Promise<unknown>>(away);
  closeWhenRevoked(socket, authenticate, silent);
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  expect(authenticate).toHaveBeenCalledTimes(3);
  expect(close).not.toHaveBeenCalled();
  authenticate.mockImplementation(refused);
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  expect(close).toHaveBeenCalledWith(4403, 'Forbidden');
});

test('a socket that closes by itself leaves no timer', async () => {
  const { socket } = openSocket();
  const authenticate = vi.fn<() => Promise<unknown>>(() => Promise.resolve({}));
  closeWhenRevoked(socket, authenticate, silent);
  socket.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});

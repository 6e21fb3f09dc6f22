import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeAt } from '../../../src/edge/socket/expiry.js';
import { openSocket } from '../idle-socket.js';

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a socket lives as long as its token, even where no timer lasts so long', () => {
  const { socket, close } = openSocket();
  closeAt(socket, Date.now() + 90 * DAY_MS, { now: () => Date.now() });
  vi.advanceTimersByTime(90 * DAY_MS - 1);
  expect(close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(close).toHaveBeenCalledWith(4403, 'Forbidden');
});

test('a socket that closes by itself leaves no timer', () => {
  const { socket } = openSocket();
  closeAt(socket, Date.now() + 90 * DAY_MS, { now: () => Date.now() });
  vi.advanceTimersByTime(30 * DAY_MS);
  socket.emit('close');
  expect(vi.getTimerCount()).toBe(0);
});

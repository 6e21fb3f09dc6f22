import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExpiries } from '../../../src/edge/socket/expiry.js';
import { openSocket } from '../idle-socket.js';

const DAY_MS = 86_400_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = { now: () => Date.now() };
/** Tokens expire at whole seconds. */
const in90Days = () => Math.ceil(Date.now() / 1_000) * 1_000 + 90 * DAY_MS;

test('a socket lives as long as its token, even where no timer lasts so long', () => {
  const { socket, close } = openSocket();
  const at = in90Days();
  createExpiries(clock).add(socket, at);
  vi.advanceTimersByTime(at - Date.now() - 1);
  expect(close).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(close).toHaveBeenCalledWith(4403, 'Forbidden');
});

test('each of many sockets is closed when its own token expires, whichever came first', () => {
  const expiries = createExpiries(clock);
  const at = in90Days();
  const sockets = [5, 1, 3, 1, 400_000].map((seconds) => {
    const opened = openSocket();
    expiries.add(opened.socket, at + seconds * 1_000);
    return { ...opened, seconds };
  });
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(at - Date.now());
  for (const passed of [0, 1, 2, 3, 4, 5]) {
    for (const { close, seconds } of sockets) expect(close).toHaveBeenCalledTimes(seconds <= passed ? 1 : 0);
    vi.advanceTimersByTime(1_000);
  }
});

test('one whose token has expired is closed at once', () => {
  const { socket, close } = openSocket();
  createExpiries(clock).add(socket, Date.now() - 5_000);
  vi.advanceTimersByTime(1);
  expect(close).toHaveBeenCalledWith(4403, 'Forbidden');
});

test('a socket that closes by itself leaves no timer', () => {
  const { socket } = openSocket();
  const expiries = createExpiries(clock);
  expiries.add(socket, in90Days());
  vi.advanceTimersByTime(30 * DAY_MS);
  expiries.remove(socket);
  expect(vi.getTimerCount()).toBe(0);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientSocket } from '../../../src/edge/socket/client-socket.js';
import { keepAlive } from '../../../src/edge/socket/keep-alive.js';

const ROUND_MS = 12_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openSockets(count: number) {
  const kept = keepAlive();
  const opened = Array.from({ length: count }, () => {
    const socket: ClientSocket = Object.create(ClientSocket.prototype);
    Object.assign(socket, { isUnanswered: false });
    const ping = vi.spyOn(socket, 'ping').mockReturnValue();
    const terminate = vi.spyOn(socket, 'terminate').mockReturnValue();
    kept.add(socket);
    return { socket, ping, terminate };
  });
  return { kept, opened };
}

test('each socket is pinged once every 12 s, and never all of them in one instant', () => {
  const { kept, opened } = openSockets(240);
  const pinged = () => opened.reduce((sum, { ping }) => sum + ping.mock.calls.length, 0);
  vi.advanceTimersByTime(ROUND_MS / 2);
  expect(pinged()).toBeGreaterThan(100);
  expect(pinged()).toBeLessThan(140);
  vi.advanceTimersByTime(ROUND_MS / 2);
  for (const { ping, terminate } of opened) {
    expect(ping).toHaveBeenCalledTimes(1);
    expect(terminate).not.toHaveBeenCalled();
  }
  kept.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a socket that has not answered a ping by the next one is cut, and no other', () => {
  const { kept, opened } = openSockets(2);
  const [quiet, answering] = opened;
  vi.advanceTimersByTime(ROUND_MS);
  answering!.socket.isUnanswered = false;
  vi.advanceTimersByTime(ROUND_MS);
  expect(quiet!.terminate).toHaveBeenCalledTimes(1);
  expect(answering!.terminate).not.toHaveBeenCalled();
  kept.stop();
});

test('a socket that is closed is pinged no more', () => {
  const { kept, opened } = openSockets(1);
  kept.remove(opened[0]!.socket);
  vi.advanceTimersByTime(ROUND_MS);
  expect(opened[0]!.ping).not.toHaveBeenCalled();
  kept.stop();
});

test('turns of an event loop that take long delay no round', () => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { kept, opened } = openSockets(120);
  while (now < 2 * ROUND_MS) {
    now += 300;
    // Of three timers that came due one runs.
    vi.advanceTimersByTime(100);
    for (const { socket } of opened) socket.isUnanswered = false;
  }
  for (const { ping } of opened) expect(ping).toHaveBeenCalledTimes(2);
  kept.stop();
  vi.restoreAllMocks();
});

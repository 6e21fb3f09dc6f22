import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClientSocket } from '../../../src/edge/socket/client-socket.js';
import { keepAlive, nextTurn } from '../../../src/edge/socket/keep-alive.js';

const ROUND_MS = 12_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openSockets(count: number) {
  return Array.from({ length: count }, (_, index) => {
    const socket: ClientSocket = Object.create(ClientSocket.prototype);
    Object.assign(socket, { isUnanswered: false, turn: nextTurn(index) });
    const ping = vi.spyOn(socket, 'ping').mockReturnValue();
    const terminate = vi.spyOn(socket, 'terminate').mockReturnValue();
    return { socket, ping, terminate };
  });
}

test('each socket is pinged once every 12 s, and never all of them in one instant', () => {
  const opened = openSockets(100);
  const stop = keepAlive(new Set(opened.map(({ socket }) => socket)));
  const pinged = () => opened.reduce((sum, { ping }) => sum + ping.mock.calls.length, 0);
  vi.advanceTimersByTime(ROUND_MS / 2);
  expect(pinged()).toBeGreaterThan(40);
  expect(pinged()).toBeLessThan(60);
  vi.advanceTimersByTime(ROUND_MS / 2);
  for (const { ping, terminate } of opened) {
    expect(ping).toHaveBeenCalledTimes(1);
    expect(terminate).not.toHaveBeenCalled();
  }
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('a socket that has not answered a ping by the next one is cut, and no other', () => {
  const [quiet, answering] = openSockets(2);
  const stop = keepAlive(new Set([quiet!.socket, answering!.socket]));
  vi.advanceTimersByTime(ROUND_MS);
  answering!.socket.isUnanswered = false;
  vi.advanceTimersByTime(ROUND_MS);
  expect(quiet!.terminate).toHaveBeenCalledTimes(1);
  expect(answering!.terminate).not.toHaveBeenCalled();
  stop();
});

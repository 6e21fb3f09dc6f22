import { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { WebSocket } from 'ws';

/** An open socket that nothing is connected to. */
export function openSocket() {
  const socket: WebSocket = Object.create(WebSocket.prototype, { readyState: { value: WebSocket.OPEN } });
  EventEmitter.call(socket);
  const close = vi.spyOn(socket, 'close').mockReturnValue();
  vi.spyOn(socket, 'terminate').mockReturnValue();
  return { socket, close };
}

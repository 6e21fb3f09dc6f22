import type { WebSocket, WebSocketServer } from 'ws';

const PING_EVERY_MS = 12_000;

/** Pings every socket; one that answered nothing since the last ping is gone. Returns what stops it. */
export function keepAlive(sockets: WebSocketServer): () => void {
  const waiting = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (waiting.has(socket)) {
        socket.terminate();
        continue;
      }
      waiting.add(socket);
      socket.once('pong', () => waiting.delete(socket));
      socket.ping();
    }
  }, PING_EVERY_MS);
  return () => clearInterval(timer);
}

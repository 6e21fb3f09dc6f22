import type { WebSocket, WebSocketServer } from 'ws';

const PING_EVERY_MS = 12_000;

/** Pings every socket; one that answered nothing since the last ping is gone. Returns what stops it. */
export function keepAlive(sockets: WebSocketServer): () => void {
  const unanswered = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once('pong', () => unanswered.delete(socket));
      socket.ping();
    }
  }, PING_EVERY_MS);
  return () => clearInterval(timer);
}

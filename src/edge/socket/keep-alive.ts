import type { ClientSocket } from './client-socket.js';

const PING_EVERY_MS = 12_000;
/** The sockets are pinged in turn: pings of tens of thousands in one instant would hold up everything else. */
const TURNS = 24;

/**
 * Pings every socket every 12 s; one that answered nothing since the last ping is gone.
 *
 * @returns what stops it
 */
export function keepAlive(sockets: ReadonlySet<ClientSocket>): () => void {
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % TURNS;
    for (const socket of sockets) if (socket.turn === turn) pingOrCut(socket);
  }, PING_EVERY_MS / TURNS);
  return () => clearInterval(timer);
}

/** The turn of a socket that is opened now: they are spread evenly. */
export const nextTurn = (opened: number): number => opened % TURNS;

function pingOrCut(socket: ClientSocket): void {
  if (socket.isUnanswered) {
    socket.terminate();
    return;
  }
  socket.isUnanswered = true;
  socket.ping();
}

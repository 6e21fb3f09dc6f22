import type { ClientSocket } from './client-socket.js';

const PING_EVERY_MS = 12_000;
/** The sockets are pinged in turn: pings of tens of thousands in one instant would hold up everything else. */
const TURNS = 120;
const TURN_MS = PING_EVERY_MS / TURNS;
const MOST_TURNS_AT_ONCE = 5;

/** Pings every socket every 12 s, and cuts one that answered nothing since the last ping: it is gone. */
export type KeepAlive = ReturnType<typeof keepAlive>;

/** Each turn has a set of its sockets: looking through all of them at each turn would take as long as the pings. */
export function keepAlive() {
  const turns = Array.from({ length: TURNS }, () => new Set<ClientSocket>());
  let turn = 0;
  let opened = 0;
  let dueAt = performance.now() + TURN_MS;
  const timer = setInterval(() => {
    // A busy event loop makes up for turns that came late, a few at a time.
    const due = Math.floor((performance.now() - dueAt) / TURN_MS) + 1;
    dueAt += due * TURN_MS;
    for (let n = 0; n < Math.min(due, MOST_TURNS_AT_ONCE); n += 1) {
      turn = (turn + 1) % TURNS;
      for (const socket of turns[turn]!) pingOrCut(socket);
    }
  }, TURN_MS);

  return {
    /** From now on, until it is removed; turns are given out evenly. */
    add(socket: ClientSocket): void {
      opened += 1;
      socket.turn = opened % TURNS;
      turns[socket.turn]!.add(socket);
    },
    remove: (socket: ClientSocket): void => void turns[socket.turn]!.delete(socket),
    stop: (): void => clearInterval(timer),
  };
}

function pingOrCut(socket: ClientSocket): void {
  if (socket.isUnanswered) {
    socket.terminate();
    return;
  }
  socket.isUnanswered = true;
  socket.ping();
}

import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const open = new WeakMap<Socket, Set<ServerResponse>>();

/** Notes the requests of a server's connections, for `openAnswers`. */
export function watchAnswers(server: Server): void {
  server.prependListener('request', ({ socket }, answer) => {
    const answers = open.get(socket) ?? new Set();
    open.set(socket, answers.add(answer));
    answer.once('close', () => answers.delete(answer));
  });
}

/** Answers of a connection that are not out, in the order of their requests. */
export const openAnswers = (socket: Socket): readonly ServerResponse[] => [...(open.get(socket) ?? [])];

/**
 * Once every request that arrived whole is answered: what Node hands over without an answer of its own may come behind
 * requests that still run, and clients match answers to requests by their order.
 */
export function behindAnswers(socket: Socket, then: () => void): void {
  const last = openAnswers(socket).findLast(({ req }) => req.complete);
  if (last) last.once('close', then);
  else then();
}

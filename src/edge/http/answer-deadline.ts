import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Cuts off a client that reads nothing of its answer for so long: a large answer that is never read would stay in memory
 * without end. How long an answer takes to make does not count.
 */
export function cutSlowReaders(app: FastifyInstance, deadlineMs: number): void {
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    // Node destroys a socket on which nothing moves, and sets another time once the answer is out.
    if (socket instanceof Socket) socket.setTimeout(deadlineMs);
    done();
  });
}

import type { FastifyReply, FastifyRequest } from 'fastify';

/** For what a client still sends when it is refused. */
const LINGER_MS = 5_000;

/**
 * Makes an answer the last one of its connection, of whose request more may come. Were the connection closed at once, the
 * network would reset it because of what still comes, and the answer would be lost on its way to a client that sends. So
 * what comes is read on and thrown away, until all of it is here, or for `lingerMs` at most.
 */
export function answerLast({ raw }: FastifyRequest, reply: FastifyReply, lingerMs = LINGER_MS): void {
  reply.header('connection', 'close');
  if (raw.complete) return;
  const { socket } = raw;
  const close = socket.destroySoon;
  // What the server calls when the answer is out.
  socket.destroySoon = () => {
    socket.end();
    raw.unpipe();
    raw.resume().once('end', () => close.call(socket));
    const end = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(end));
  };
}

import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For what a client still sends when it is refused. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 ** 2;
const LOOK_MS = 50;

/** Whose answers are the last ones already. */
const last = new WeakSet<IncomingMessage>();

/**
 * Makes an answer the last one of its connection, of whose request more may come. Were the connection closed at once, the
 * network would reset it because of what still comes, and the answer would be lost on its way to a client that sends. So
 * what comes is read on and thrown away, until all of it is here, or for `lingerMs` or `lingerBytes` at most.
 */
export function answerLast(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { lingerMs = LINGER_MS, lingerBytes = LINGER_BYTES }: { lingerMs?: number; lingerBytes?: number } = {},
): void {
  reply.header('connection', 'close');
  if (raw.complete || last.has(raw)) return;
  last.add(raw);
  const { socket } = raw;
  const close = socket.destroySoon;
  // What the server calls when the answer is out.
  socket.destroySoon = () => {
    socket.end();
    raw.unpipe();
    raw.resume().once('end', () => close.call(socket));
    const until = performance.now() + lingerMs;
    const most = socket.bytesRead + lingerBytes;
    const look = setInterval(
      () => {
        if (performance.now() >= until || socket.bytesRead > most) socket.destroy();
      },
      Math.min(LOOK_MS, lingerMs),
    );
    socket.once('close', () => clearInterval(look));
  };
}

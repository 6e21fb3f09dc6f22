import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseBroken } from './broken-requests.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes large bodies and sees to slow ones itself; the server's own limit holds all the same. */
    slowBody?: boolean;
  }
  interface FastifyRequest {
    bodyDeadline: NodeJS.Timeout | null;
  }
}

/**
 * Cuts off a client that has not sent all of a body within `afterMs`: half-sent bodies hold memory. It gets 408, unless its
 * request was answered before. Node has one limit for the whole server, which has to let uploads through.
 */
export function cutSlowBodies(app: FastifyInstance, afterMs: number): void {
  app.decorateRequest('bodyDeadline', null);
  app.addHook('onRequest', (request, reply, done) => {
    if (hasBody(request) && !request.routeOptions.config.slowBody) {
      const deadline = setTimeout(cut, afterMs, request, reply).unref();
      request.bodyDeadline = deadline;
      // All of it was read, or its client left. A timer that went on would keep the request, and refused clients fill the memory.
      request.raw.once('close', () => clearTimeout(deadline));
    }
    done();
  });
  // What comes behind a refusal is read and thrown away, until all of it is here. Node no longer says so where its client leaves.
  app.addHook('onResponse', ({ bodyDeadline, raw }, _reply, done) => {
    if (bodyDeadline && !raw.complete) clearWithConnection(bodyDeadline, raw);
    done();
  });
}

function clearWithConnection(deadline: NodeJS.Timeout, request: IncomingMessage): void {
  const { socket } = request;
  const clear = () => clearTimeout(deadline);
  if (socket.destroyed) clear();
  socket.once('close', clear);
  request.once('close', () => socket.off('close', clear));
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;

function cut({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return;
  // A second answer to one request would be taken for that of the next.
  if (reply.raw.writableFinished) {
    raw.socket.destroy();
    return;
  }
  const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
  refuseBroken(408, raw.socket, Object.fromEntries(headers));
}

/**
 * Cuts off a client that reads nothing of its answer for so long: a large answer that is never read would stay in memory
 * without end. How long an answer takes to make does not count.
 */
export function cutSlowReaders(app: FastifyInstance, deadlineMs: number): void {
  app.addHook('onSend', ({ raw: { socket } }, _reply, _payload, done) => {
    limitReading(socket, deadlineMs);
    done();
  });
}

/** Node destroys a socket on which nothing moves, and sets another time once the answer is out. */
export function limitReading(socket: Socket, deadlineMs: number): void {
  if (socket instanceof Socket) socket.setTimeout(deadlineMs);
}

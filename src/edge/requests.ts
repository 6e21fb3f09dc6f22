import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Viewer } from '../platform/auth.js';
import type { Ids } from '../platform/ids.js';
import type { Logger } from '../platform/logger.js';
import type { EdgeRequest, OpenRequest } from './options.js';

/** A request that makes its logger and its abort signal only when somebody asks: most never do. */
class LazyRequest implements EdgeRequest {
  private ownLogger: Logger | undefined;
  private controller: AbortController | undefined;

  constructor(
    readonly transport: EdgeRequest['transport'],
    readonly viewer: Viewer | null,
    readonly correlationId: string,
    readonly ip: string,
    private readonly rootLogger: Logger,
    private readonly onLeave: (leave: () => void) => void,
  ) {}

  get logger(): Logger {
    this.ownLogger ??= this.rootLogger.child({ correlationId: this.correlationId });
    return this.ownLogger;
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      const controller = new AbortController();
      this.controller = controller;
      this.onLeave(() => controller.abort());
    }
    return this.controller.signal;
  }
}

const isSane = (id: unknown): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id);

/** The client's own id for a chain of requests, where it gives a sane one: in headers or connection parameters. */
export function givenCorrelationId(from: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const given = from?.['x-correlation-id'] ?? from?.['x-request-id'];
  return isSane(given) ? given : undefined;
}

/** The client's own id for a chain of requests, else a new one. */
export const correlationIdOf = (headers: IncomingMessage['headers'], ids: Ids): string =>
  givenCorrelationId(headers) ?? ids.next();

/** The id of one operation on a socket: never that of another operation, unless the client repeats its own id. */
export function operationCorrelationId(socketId: string | undefined, operationId: string, ids: Ids): string {
  const id = socketId && `${socketId}/${operationId}`;
  return isSane(id) ? id : ids.next();
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Kept here so that a request is authenticated once. */
    edgeRequest: Promise<EdgeRequest> | null;
  }
}

/** Opens plain HTTP requests of `app`: authenticates each once. */
export function createOpenRequest(
  app: FastifyInstance,
  authenticator: Authenticator,
  logger: Logger,
): OpenRequest {
  app.decorateRequest('edgeRequest', null);
  return (request, reply) => {
    request.edgeRequest ??= open(request, reply);
    return request.edgeRequest;
  };

  async function open(request: FastifyRequest, reply: FastifyReply): Promise<EdgeRequest> {
    const viewer = await authenticator.authenticate(request.headers.authorization);
    return new LazyRequest('http', viewer, request.id, request.ip, logger, (leave) => {
      if (reply.raw.destroyed) leave();
      else reply.raw.once('close', () => reply.raw.writableFinished || leave());
    });
  }
}

/** One operation on a socket; `onLeave` is told what to call when the operation or the socket ends. */
export function socketRequest(options: {
  viewer: Viewer | null;
  correlationId: string;
  ip: string;
  logger: Logger;
  onLeave: (leave: () => void) => void;
}): EdgeRequest {
  const { viewer, correlationId, ip, logger, onLeave } = options;
  return new LazyRequest('websocket', viewer, correlationId, ip, logger, onLeave);
}

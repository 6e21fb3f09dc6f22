import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator, Viewer } from '../../platform/auth.js';
import { PublicError } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import { type EdgeRequest, GRAPHQL_PATH, type OpenRequest } from '../options.js';
import type { ClientAddress } from './client-address.js';
import type { Gate, GateRequest, Verdict } from './gate.js';
import { arrivalAt, failedSignIn, gateCaller, OPERATION_ENDPOINT, Passage, Rejected } from './passage.js';
import { endpointOf } from './request-endpoint.js';

/** A request that makes its logger and its abort signal only when somebody asks: most never do. */
class LazyRequest implements EdgeRequest {
  readonly passage: Passage;
  queryCost = 0;
  private ownLogger: Logger | undefined;
  private controller: AbortController | undefined;

  constructor(
    readonly transport: EdgeRequest['transport'],
    readonly viewer: Viewer | null,
    readonly correlationId: string,
    private readonly address: ClientAddress,
    at: { readonly gate: Gate; readonly arrivesAt: GateRequest['endpoints'] },
    private readonly rootLogger: Logger,
    private readonly onLeave: (leave: () => void) => void,
  ) {
    this.passage = new Passage(at.gate, gateCaller(viewer, address.network), at.arrivesAt, () => this.signal);
  }

  get ip(): string {
    return this.address.ip;
  }

  get verdict(): Verdict | null {
    return this.passage.verdict ?? null;
  }

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

/** A plain HTTP request as far as it is known before its route runs. */
export interface Arrival {
  readonly request: EdgeRequest;
  /** Why its token is not believed; the request counts as anonymous until a route asks who it is. */
  readonly disbelief: unknown;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Kept here so that a request is authenticated once. */
    arrival: Promise<Arrival> | null;
  }
}

/** Receives plain HTTP requests of `app`: authenticates each once. */
export interface Reception {
  /** @throws Rejected where too many wrong credentials came from there */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<Arrival>;
  readonly openRequest: OpenRequest;
}

export function createReception(
  app: FastifyInstance,
  deps: {
    readonly authenticator: Authenticator;
    readonly gate: Gate;
    readonly addressOf: (peer: string | undefined, headers: IncomingMessage['headers']) => ClientAddress;
    readonly logger: Logger;
  },
): Reception {
  const { authenticator, gate, addressOf, logger } = deps;
  app.decorateRequest('arrival', null);

  function receive(request: FastifyRequest, reply: FastifyReply): Promise<Arrival> {
    request.arrival ??= arrive(request, reply);
    return request.arrival;
  }

  async function arrive(request: FastifyRequest, reply: FastifyReply): Promise<Arrival> {
    const address = addressOf(request.socket.remoteAddress, request.headers);
    const credentials = credentialsOf(request.headers);
    refuseGuess(credentials, address, { authenticator, gate });
    let viewer: Viewer | null = null;
    let disbelief: unknown;
    try {
      viewer = await authenticator.authenticate(credentials);
    } catch (error) {
      disbelief = error;
    }
    const arrivesAt = arrivalAt(
      arrivalEndpoint(request),
      isWrong(disbelief, credentials) ? 'disbelieved' : 'believed',
    );
    const at = { gate, arrivesAt };
    const opened = new LazyRequest('http', viewer, request.id, address, at, logger, (leave) => {
      if (reply.raw.destroyed) leave();
      else reply.raw.once('close', () => reply.raw.writableFinished || leave());
    });
    return { request: opened, disbelief };
  }

  return {
    receive,
    async openRequest(request, reply) {
      const { request: opened, disbelief } = await receive(request, reply);
      if (disbelief === undefined) return opened;
      throw disbelief;
    },
  };
}

/** Where wrong credentials came from a moment ago, nobody looks up more of them. @throws Rejected */
export function refuseGuess(
  credentials: string | undefined,
  { network }: ClientAddress,
  { authenticator, gate }: { readonly authenticator: Authenticator; readonly gate: Gate },
): void {
  if (!authenticator.mustLookUp(credentials)) return;
  const verdict = gate.foresee(failedSignIn(network));
  if (verdict?.outcome === 'REJECT') throw new Rejected(verdict);
}

/** Operations are one endpoint, whichever method brings them. */
const arrivalEndpoint = ({ method, routeOptions, url }: FastifyRequest): string =>
  routeOptions.url === GRAPHQL_PATH ? OPERATION_ENDPOINT : endpointOf(method, routeOptions.url, url);

/** What a caller shows of himself: a token or an API key, in either header. */
export function credentialsOf(headers: IncomingMessage['headers']): string | undefined {
  const key = headers['x-api-key'];
  return headers.authorization ?? (typeof key === 'string' ? `Bearer ${key}` : undefined);
}

/**
 * Whether credentials were found wrong, and not only impossible to judge for now. Those of other schemes than `Bearer`
 * are nobody's guesses at ours.
 */
export const isWrong = (disbelief: unknown, credentials: string | undefined): boolean =>
  isUnauthenticated(disbelief) && /^bearer /i.test(credentials ?? '');

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof PublicError && error.code === 'UNAUTHENTICATED';

/** One operation on a socket; `onLeave` is told what to call when the operation or the socket ends. */
export function socketRequest(options: {
  viewer: Viewer | null;
  correlationId: string;
  address: ClientAddress;
  gate: Gate;
  arrivesAt: GateRequest['endpoints'];
  logger: Logger;
  onLeave: (leave: () => void) => void;
}): EdgeRequest {
  const { viewer, correlationId, address, logger, onLeave } = options;
  return new LazyRequest('websocket', viewer, correlationId, address, options, logger, onLeave);
}

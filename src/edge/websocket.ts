import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphQLSchema } from 'graphql';
import { type Context, handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Authenticator, Viewer } from '../platform/auth.js';
import type { Clock } from '../platform/clock.js';
import { PublicError } from '../platform/errors.js';
import type { Ids } from '../platform/ids.js';
import type { Logger } from '../platform/logger.js';
import type { Documents } from './documents.js';
import type { Masking } from './errors.js';
import type { Admitted, Execution } from './execution.js';
import { GRAPHQL_PATH } from './http-server.js';
import type { EdgeMetrics } from './metrics.js';
import type { EdgeRequest } from './options.js';
import { givenCorrelationId, operationCorrelationId, socketRequest } from './requests.js';
import { closeSocket, socketChannel, TRY_AGAIN } from './socket-channel.js';
import { closeAt } from './socket-expiry.js';
import { keepAlive } from './socket-keep-alive.js';
import { originAllowed } from './socket-origin.js';

const MAX_MESSAGE_BYTES = 1_048_576;
const MAX_SUBSCRIPTIONS = 100;
const INIT_WAIT_MS = 3_000;

/** What the edge keeps of one socket. */
interface Connection {
  readonly socket: WebSocket;
  /** The client's own id for what it does on this socket; without one each operation has an id of its own. */
  correlationId: string | undefined;
  /** Writes the socket's id with every line. */
  readonly logger: Logger;
  readonly authorization: string | undefined;
  readonly ip: string;
  viewer: Viewer | null;
  /** What to call when an operation ends, by its id. */
  readonly leaves: Map<string, (() => void)[]>;
}

/** An admitted operation on its way through graphql-ws. */
class OnItsWay {
  constructor(
    readonly admitted: Admitted,
    readonly request: EdgeRequest,
  ) {}
}

export interface Sockets {
  /** Refuses new sockets, tells the open ones that the server is going away, and waits until they are closed. */
  close(): Promise<void>;
}

/** GraphQL over WebSocket (`graphql-transport-ws`) at `/graphql` of `server`. */
export function attachSockets(
  server: Server,
  options: {
    schema: GraphQLSchema;
    documents: Documents;
    execution: Execution;
    masking: Masking;
    metrics: EdgeMetrics;
    authenticator: Authenticator;
    allowedOrigins: readonly string[];
    logger: Logger;
    clock: Clock;
    ids: Ids;
  },
): Sockets {
  const { documents, execution, masking, metrics, logger, clock, ids } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect: connect,
    onSubscribe: admit,
    execute: ({ contextValue }) => {
      const { admitted, request } = onItsWay(contextValue);
      return execution.answer(admitted, request);
    },
    subscribe: ({ contextValue }) => {
      const { admitted, request } = onItsWay(contextValue);
      return execution.subscribe(admitted, request);
    },
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => masking.present(error, { logger: extra.logger }).toJSON()),
    onComplete: ({ extra }, id) => leave(extra, id),
  });
  let closing = false;
  const stopPinging = keepAlive(sockets);
  server.on('upgrade', upgrade);
  return { close };

  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    stream.on('error', () => stream.destroy());
    const refusal = refusalOf(request);
    if (refusal) reject(stream, refusal);
    else sockets.handleUpgrade(request, stream, head, (socket) => open(socket, request));
  }

  function refusalOf(request: IncomingMessage): string | undefined {
    if (closing) return '503 Service Unavailable';
    if (request.url?.split('?', 1)[0] !== GRAPHQL_PATH) return '404 Not Found';
    return originAllowed(request, options.allowedOrigins) ? undefined : '403 Forbidden';
  }

  function open(socket: WebSocket, request: IncomingMessage): void {
    const correlationId = givenCorrelationId(request.headers);
    const socketId = correlationId ?? ids.next();
    const connection: Connection = {
      socket,
      correlationId,
      logger: logger.child({ socketId }),
      authorization: request.headers.authorization,
      ip: request.socket.remoteAddress ?? '',
      viewer: null,
      leaves: new Map(),
    };
    metrics.sockets(sockets.clients.size);
    socket.on('error', (err) => connection.logger.info({ err }, 'socket failed'));
    const closed = protocol.opened(socketChannel(socket, connection.logger), connection);
    socket.once('close', (code, reason) => {
      metrics.sockets(sockets.clients.size);
      for (const id of connection.leaves.keys()) leave(connection, id);
      closed(code, String(reason)).catch((err: unknown) =>
        connection.logger.error({ err }, 'unexpected error on a socket'),
      );
    });
  }

  /**
   * A wrong token closes the socket with 4403 (4401 would stop stock clients from ever trying again), and one that
   * cannot be judged for now with 1013.
   */
  async function connect({ extra, connectionParams }: Context<Record<string, unknown>, Connection>) {
    const given = connectionParams?.authorization ?? connectionParams?.Authorization ?? extra.authorization;
    if (given !== undefined && given !== null && typeof given !== 'string') return false;
    try {
      extra.viewer = await options.authenticator.authenticate(given ?? undefined);
    } catch (err) {
      extra.logger.info({ err }, 'socket refused');
      const wrong = err instanceof PublicError && err.code === 'UNAUTHENTICATED';
      if (!wrong) closeSocket(extra.socket, TRY_AGAIN.code, TRY_AGAIN.reason);
      return false;
    }
    extra.correlationId = givenCorrelationId(connectionParams) ?? extra.correlationId;
    if (extra.viewer?.expiresAt !== undefined) closeAt(extra.socket, extra.viewer.expiresAt, clock);
    return true;
  }

  function admit(
    { extra, subscriptions }: Context<Record<string, unknown>, Connection>,
    id: string,
    payload: {
      query: string;
      operationName?: string | null | undefined;
      variables?: Record<string, unknown> | null | undefined;
    },
  ) {
    if (Object.keys(subscriptions).length > MAX_SUBSCRIPTIONS) {
      const message = `A socket carries at most ${MAX_SUBSCRIPTIONS} operations at once`;
      return [masking.requestError('TOO_MANY_SUBSCRIPTIONS', message)];
    }
    const prepared = documents.prepare(payload.query, payload.operationName);
    if (!prepared.ok) return [prepared.error];
    const admission = execution.admit(prepared.operation, payload.variables);
    if (!admission.ok) return [admission.error];
    return {
      schema: options.schema,
      document: prepared.operation.document,
      operationName: payload.operationName,
      contextValue: new OnItsWay(admission.admitted, requestOf(extra, id)),
    };
  }

  function requestOf(connection: Connection, id: string): EdgeRequest {
    const leaves: (() => void)[] = [];
    connection.leaves.set(id, leaves);
    const { viewer, ip } = connection;
    return socketRequest({
      viewer,
      correlationId: operationCorrelationId(connection.correlationId, id, ids),
      ip,
      logger: connection.logger,
      onLeave: (then) => leaves.push(then),
    });
  }

  async function close(): Promise<void> {
    closing = true;
    stopPinging();
    const closed = [...sockets.clients].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const socket of sockets.clients) closeSocket(socket, 1001, 'Going away');
    await Promise.all(closed);
    server.off('upgrade', upgrade);
    sockets.close();
  }
}

function onItsWay(context: unknown): OnItsWay {
  if (context instanceof OnItsWay) return context;
  throw new Error('an operation that was not admitted reached execution');
}

function leave(connection: Connection, id: string): void {
  for (const then of connection.leaves.get(id) ?? []) then();
  connection.leaves.delete(id);
}

function reject(stream: Duplex, status: string): void {
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => stream.destroy());
}

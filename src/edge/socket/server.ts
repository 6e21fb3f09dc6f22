import type { IncomingMessage, Server } from 'node:http';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { credentialsOf } from '../gate/authentication.js';
import type { ClientAddress } from '../gate/client-address.js';
import { givenCorrelationId } from '../gate/edge-request.js';
import type { EdgeMetrics } from '../metrics.js';
import type { SocketLimits } from '../options.js';
import { closeSocket, socketChannel } from './channel.js';
import { type Connection, end, leave } from './connection.js';
import { createOpenSockets, type SocketPlace } from './open-sockets.js';
import { admittedOperation, createSocketOperations } from './operations.js';
import { createSignIn } from './sign-in.js';
import { givenTraceparent } from './traced-operation.js';
import { createUpgrade } from './upgrade.js';

const MAX_MESSAGE_BYTES = 1_048_576;
const INIT_WAIT_MS = 3_000;
const PING_EVERY_MS = 12_000;

type Options = Parameters<typeof createSocketOperations>[0] &
  Parameters<typeof createSignIn>[0] &
  Omit<Parameters<typeof createUpgrade>[0], 'closing' | 'accept' | 'openSockets'> & {
    metrics: EdgeMetrics;
    limits: SocketLimits;
  };

/** GraphQL over WebSocket (`graphql-transport-ws`) at `/graphql` of `server`. */
export function attachSockets(server: Server, options: Options) {
  const { execution, masking, metrics, logger, ids } = options;
  const operations = createSocketOperations(options);
  const signIn = createSignIn(options);
  const openSockets = createOpenSockets(options.limits, metrics);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect: ({ extra, connectionParams }) => signIn(extra, connectionParams),
    onSubscribe: operations.admit,
    execute: ({ contextValue }) => {
      const operation = admittedOperation(contextValue);
      return operation.finish(() => execution.answer(operation.admitted, operation.request));
    },
    subscribe: ({ contextValue }) => {
      const operation = admittedOperation(contextValue);
      return operation.finish(() => execution.subscribe(operation.admitted, operation.request));
    },
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => masking.present(error, { logger: extra.logger }).toJSON()),
    onComplete: ({ extra }, id, payload) => end(extra, id, payload),
  });
  let closing = false;
  const stopPinging = keepAlive(sockets);
  const limitsOf = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
  const upgrade = createUpgrade({
    ...options,
    closing: () => closing,
    openSockets,
    accept(request, stream, head, { viewer, address, limits }) {
      limitsOf.set(request, limits);
      sockets.handleUpgrade(request, stream, head, (socket) =>
        open(socket, request, address, openSockets.enter(viewer, address.network)),
      );
    },
  });
  sockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(limitsOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  sockets.on('error', (err) => logger.error({ err }, 'the WebSocket server failed'));
  server.on('upgrade', upgrade);
  return { close };

  function open(
    socket: WebSocket,
    request: IncomingMessage,
    address: ClientAddress,
    place: SocketPlace,
  ): void {
    const correlationId = givenCorrelationId(request.headers);
    const gone = new AbortController();
    const socketId = correlationId ?? ids.next();
    const connection: Connection = {
      socket,
      correlationId,
      traceparent: givenTraceparent(request.headers),
      logger: logger.child({ socketId }),
      credentials: credentialsOf(request.headers),
      address,
      place,
      viewer: null,
      open: new Map(),
      leftUnchecked: new Set(),
      gone: gone.signal,
    };
    socket.on('error', (err) => connection.logger.info({ err }, 'socket failed'));
    const closed = protocol.opened(
      socketChannel(socket, connection.logger, {
        isRefused: () => operations.isRefused(connection),
        charged: (refusal) => operations.charged(connection, refusal),
        completed: (id) => leave(connection, id),
      }),
      connection,
    );
    socket.once('close', (code, reason) => {
      place.leave();
      gone.abort();
      for (const id of connection.open.keys()) leave(connection, id);
      closed(code, String(reason)).catch((err: unknown) =>
        connection.logger.error({ err }, 'unexpected error on a socket'),
      );
    });
  }

  /** Refuses new sockets, closes the open ones with 1001 (going away), and waits until they are closed. */
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

/** Pings every socket; one that answered nothing since the last ping is gone. Returns what stops it. */
function keepAlive(sockets: WebSocketServer): () => void {
  const unanswered = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once('pong', () => unanswered.delete(socket));
      socket.ping();
    }
  }, PING_EVERY_MS);
  return () => clearInterval(timer);
}

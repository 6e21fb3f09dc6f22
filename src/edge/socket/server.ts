import type { IncomingMessage, Server } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Authenticator } from '../../platform/auth.js';
import type { Clock } from '../../platform/clock.js';
import type { Gate } from '../../platform/gate.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Masking } from '../errors.js';
import { credentialsOf } from '../gate/authentication.js';
import type { ClientAddress } from '../gate/client-address.js';
import { givenCorrelationId } from '../gate/edge-request.js';
import type { Documents } from '../graphql/documents.js';
import type { Execution } from '../graphql/execution.js';
import type { MayCall } from '../http/origins.js';
import type { EdgeMetrics } from '../metrics.js';
import { closeSocket, socketChannel } from './channel.js';
import { type Connection, end, leave } from './connection.js';
import { keepAlive } from './keep-alive.js';
import { admittedOperation, createSocketOperations } from './operations.js';
import { createSignIn } from './sign-in.js';
import { createUpgrade } from './upgrade.js';

const MAX_MESSAGE_BYTES = 1_048_576;
const INIT_WAIT_MS = 3_000;

export interface Sockets {
  /** Refuses new sockets, closes the open ones with 1001 (going away), and waits until they are closed. */
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
    gate: () => Gate;
    addressOf: (peer: string | undefined, headers: IncomingMessage['headers']) => ClientAddress;
    documentationUrl: string;
    mayCall: MayCall;
    logger: Logger;
    clock: Clock;
    ids: Ids;
  },
): Sockets {
  const { execution, masking, metrics, logger, ids } = options;
  const operations = createSocketOperations(options);
  const signIn = createSignIn(options);
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, handleProtocols });
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect: ({ extra, connectionParams }) => signIn(extra, connectionParams),
    onSubscribe: operations.admit,
    execute: ({ contextValue }) => {
      const { admitted, request } = admittedOperation(contextValue);
      return execution.answer(admitted, request);
    },
    subscribe: ({ contextValue }) => {
      const { admitted, request } = admittedOperation(contextValue);
      return execution.subscribe(admitted, request);
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
    accept(request, stream, head, address, limits) {
      limitsOf.set(request, limits);
      sockets.handleUpgrade(request, stream, head, (socket) => open(socket, request, address));
    },
  });
  sockets.on('headers', (lines, request) => {
    for (const [name, value] of Object.entries(limitsOf.get(request) ?? {})) lines.push(`${name}: ${value}`);
  });
  sockets.on('error', (err) => logger.error({ err }, 'the WebSocket server failed'));
  server.on('upgrade', upgrade);
  return { close };

  function open(socket: WebSocket, request: IncomingMessage, address: ClientAddress): void {
    const correlationId = givenCorrelationId(request.headers);
    const gone = new AbortController();
    const socketId = correlationId ?? ids.next();
    const connection: Connection = {
      socket,
      correlationId,
      logger: logger.child({ socketId }),
      credentials: credentialsOf(request.headers),
      address,
      viewer: null,
      open: new Map(),
      leftUnchecked: new Set(),
      gone: gone.signal,
    };
    metrics.sockets(sockets.clients.size);
    socket.on('error', (err) => connection.logger.info({ err }, 'socket failed'));
    const closed = protocol.opened(
      socketChannel(socket, connection.logger, {
        charged: (refusal) => operations.charged(connection, refusal),
        completed: (id) => leave(connection, id),
      }),
      connection,
    );
    socket.once('close', (code, reason) => {
      metrics.sockets(sockets.clients.size);
      gone.abort();
      for (const id of connection.open.keys()) leave(connection, id);
      closed(code, String(reason)).catch((err: unknown) =>
        connection.logger.error({ err }, 'unexpected error on a socket'),
      );
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

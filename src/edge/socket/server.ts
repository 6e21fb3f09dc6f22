import type { IncomingMessage, Server } from 'node:http';
import { handleProtocols, makeServer } from 'graphql-ws';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../platform/clock.js';
import { credentialsOf } from '../gate/authentication.js';
import type { ClientAddress } from '../gate/client-address.js';
import { givenCorrelationId } from '../gate/edge-request.js';
import type { EdgeMetrics } from '../metrics.js';
import type { SocketLimits } from '../options.js';
import { closeSocket, SocketChannel } from './channel.js';
import { ClientSocket } from './client-socket.js';
import { Connection } from './connection.js';
import { createExpiries } from './expiry.js';
import { keepAlive } from './keep-alive.js';
import { createOpenSockets, type SocketPlace } from './open-sockets.js';
import { admittedOperation, createSocketOperations } from './operations.js';
import { createSignIn } from './sign-in.js';
import { givenTraceparent } from './traced-operation.js';
import { createUpgrade } from './upgrade.js';

const MAX_MESSAGE_BYTES = 1_048_576;
const INIT_WAIT_MS = 3_000;

type Options = Parameters<typeof createSocketOperations>[0] &
  Omit<Parameters<typeof createSignIn>[0], 'expiries'> &
  Omit<Parameters<typeof createUpgrade>[0], 'closing' | 'accept' | 'openSockets'> & {
    clock: Clock;
    metrics: EdgeMetrics;
    limits: SocketLimits;
  };

/** GraphQL over WebSocket (`graphql-transport-ws`) at `/graphql` of `server`. */
export function attachSockets(server: Server, options: Options) {
  const { execution, masking, metrics, logger, ids } = options;
  const operations = createSocketOperations(options);
  const expiries = createExpiries(options.clock);
  const signIn = createSignIn({ ...options, expiries });
  const openSockets = createOpenSockets(options.limits, metrics);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols,
    WebSocket: ClientSocket,
  });
  const protocol = makeServer<Record<string, unknown>, Connection>({
    connectionInitWaitTimeout: INIT_WAIT_MS,
    onConnect(context) {
      const { extra, connectionParams } = context;
      // Nobody asks for the token again, and graphql-ws would keep it for as long as the socket is open.
      Object.assign(context, { connectionParams: undefined });
      return signIn(extra, connectionParams);
    },
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
    onComplete: ({ extra }, id, payload) => extra.endOperation(id, payload),
  });
  let closing = false;
  const keptAlive = keepAlive();
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
    socket: ClientSocket,
    request: IncomingMessage,
    address: ClientAddress,
    place: SocketPlace,
  ): void {
    const correlationId = givenCorrelationId(request.headers);
    const connection = new Connection(socket, logger, {
      socketId: correlationId ?? ids.next(),
      correlationId,
      traceparent: givenTraceparent(request.headers),
      credentials: credentialsOf(request.headers),
      address,
      place,
    });
    const channel = new SocketChannel(connection, operations);
    keptAlive.add(socket);
    socket.connection = connection;
    socket.channel = channel;
    socket.on('error', onError);
    socket.on('message', onMessage);
    socket.on('pong', onPong);
    socket.on('close', onClose);
    socket.closed = protocol.opened(channel, connection);
  }

  function onClose(this: WebSocket, code: number, reason: Buffer): void {
    const { connection, closed } = ours(this);
    expiries.remove(this);
    keptAlive.remove(ours(this));
    connection?.end();
    closed?.(code, String(reason)).catch((err: unknown) =>
      connection?.logger.error({ err }, 'unexpected error on a socket'),
    );
  }

  /** Refuses new sockets, closes the open ones with 1001 (going away), and waits until they are closed. */
  async function close(): Promise<void> {
    closing = true;
    keptAlive.stop();
    const closed = [...sockets.clients].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    );
    for (const socket of sockets.clients) closeSocket(socket, 1001, 'Going away');
    await Promise.all(closed);
    server.off('upgrade', upgrade);
    sockets.close();
  }
}

/** All of this server's sockets are made as such. */
const ours = (socket: WebSocket): ClientSocket => socket as ClientSocket;

function onError(this: WebSocket, err: Error): void {
  ours(this).connection?.logger.info({ err }, 'socket failed');
}

function onMessage(this: WebSocket, data: RawData): void {
  ours(this).channel?.receive(String(data));
}

function onPong(this: WebSocket): void {
  ours(this).isUnanswered = false;
}

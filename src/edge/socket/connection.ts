import type { WebSocket } from 'ws';
import type { Viewer } from '../../platform/auth/auth.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { ClientAddress } from '../gate/client-address.js';
import type { SocketPlace } from './open-sockets.js';

/** What the edge keeps of one socket. */
export interface Connection {
  readonly socket: WebSocket;
  /** The client's own id for what it does on this socket; without one each operation has an id of its own. */
  correlationId: string | undefined;
  /** The trace that the client's operations go on with, where they name none. */
  traceparent?: string | undefined;
  /** Writes the socket's id with every line. */
  readonly logger: Logger;
  /** What the upgrade showed, where the connection's parameters show nothing. */
  readonly credentials: string | undefined;
  readonly address: ClientAddress;
  /** Among the sockets that are open. */
  readonly place: SocketPlace;
  viewer: Viewer | null;
  /** The operations that its client waits for, by their ids. */
  readonly open: Map<string, OpenOperation>;
  /** Messages of operations that their client completed while they were checked, until that is over. */
  readonly leftUnchecked: Set<unknown>;
  /** Aborts when the socket is closed. */
  readonly gone: AbortSignal;
}

/** An operation between its message and its end. */
export interface OpenOperation {
  /** Its message's own: a client may use an id again as soon as it has completed the operation. */
  readonly payload: unknown;
  /** Its document, variables and limits are checked still. */
  checking: boolean;
  /** What to call when it ends. */
  readonly onLeave: (() => void)[];
}

/** The client completed an operation, or left. */
export function leave(connection: Connection, id: string): void {
  const operation = connection.open.get(id);
  connection.open.delete(id);
  if (operation?.checking) connection.leftUnchecked.add(operation.payload);
  for (const then of operation?.onLeave ?? []) then();
}

/** An operation is checked: only from now on does completing it end all work on it. */
export function endCheck(connection: Connection, id: string, payload: unknown): void {
  connection.leftUnchecked.delete(payload);
  const operation = connection.open.get(id);
  if (operation && operation.payload === payload) operation.checking = false;
}

/** An operation ended; another one may have its id by now. */
export function end(connection: Connection, id: string, payload: unknown): void {
  if (isOpen(connection, id, payload)) leave(connection, id);
}

/** Whether the client still waits for the operation that came with this payload. */
export const isOpen = (connection: Connection, id: string, payload: unknown): boolean =>
  connection.open.get(id)?.payload === payload;

import type { WebSocket } from 'ws';
import type { Viewer } from '../platform/auth.js';
import type { Logger } from '../platform/logger.js';
import type { ClientAddress } from './client-address.js';

/** What the edge keeps of one socket. */
export interface Connection {
  readonly socket: WebSocket;
  /** The client's own id for what it does on this socket; without one each operation has an id of its own. */
  correlationId: string | undefined;
  /** Writes the socket's id with every line. */
  readonly logger: Logger;
  /** What the upgrade showed, where the connection's parameters show nothing. */
  readonly credentials: string | undefined;
  readonly address: ClientAddress;
  viewer: Viewer | null;
  /** What to call when an operation ends, by its id. */
  readonly leaves: Map<string, (() => void)[]>;
  /** Aborts when the socket is closed. */
  readonly gone: AbortSignal;
}

/** An operation of the socket ended, or its client left. */
export function leave(connection: Connection, id: string): void {
  for (const then of connection.leaves.get(id) ?? []) then();
  connection.leaves.delete(id);
}

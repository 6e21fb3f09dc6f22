import type { Viewer } from '../../platform/auth/auth.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { ClientAddress } from '../gate/client-address.js';
import type { ClientSocket } from './client-socket.js';
import type { OpenOperation } from './open-operation.js';
import type { SocketPlace } from './open-sockets.js';

/** What the upgrade says of a socket. */
interface Opened {
  readonly socketId: string;
  readonly correlationId: string | undefined;
  readonly traceparent: string | undefined;
  readonly credentials: string | undefined;
  readonly address: ClientAddress;
  readonly place: SocketPlace;
}

/**
 * What the edge keeps of one socket: there may be tens of thousands, of which most do nothing, so what most never use is made
 * when it is first used.
 */
export class Connection {
  private readonly socketId: string;
  /** The client's own id for what it does on this socket; without one each operation has an id of its own. */
  correlationId: string | undefined;
  /** The trace that the client's operations go on with, where they name none. */
  traceparent: string | undefined;
  /** What the upgrade showed, where the connection's parameters show nothing. */
  readonly credentials: string | undefined;
  readonly address: ClientAddress;
  /** Among the sockets that are open. */
  readonly place: SocketPlace;
  viewer: Viewer | null = null;
  /** The operations that its client waits for, by their ids. */
  readonly open = new Map<string, OpenOperation>();
  /** The socket is closed. */
  isGone = false;
  /** Messages of operations that their client completed while they were checked, until that is over. */
  private leftUnchecked: Set<unknown> | undefined = undefined;
  private ownLogger: Logger | undefined = undefined;
  private going: AbortController | undefined = undefined;

  constructor(
    readonly socket: ClientSocket,
    private readonly edgeLogger: Logger,
    { socketId, correlationId, traceparent, credentials, address, place }: Opened,
  ) {
    this.socketId = socketId;
    this.correlationId = correlationId;
    this.traceparent = traceparent;
    this.credentials = credentials;
    this.address = address;
    this.place = place;
  }

  /** Writes the socket's id with every line. */
  get logger(): Logger {
    this.ownLogger ??= this.edgeLogger.child({ socketId: this.socketId });
    return this.ownLogger;
  }

  /** Aborts when the socket is closed. */
  get gone(): AbortSignal {
    this.going ??= new AbortController();
    if (this.isGone) this.going.abort();
    return this.going.signal;
  }

  /** The socket is closed: its operations end. */
  end(): void {
    this.isGone = true;
    this.place.leave();
    this.going?.abort();
    for (const id of this.open.keys()) this.leave(id);
  }

  /** How many operations their client left while they were checked, and are still. */
  get countOfLeftUnchecked(): number {
    return this.leftUnchecked?.size ?? 0;
  }

  /** The client completed an operation, or left. */
  leave(id: string): void {
    const operation = this.open.get(id);
    if (!operation) return;
    this.open.delete(id);
    if (operation.checking) {
      this.leftUnchecked ??= new Set();
      this.leftUnchecked.add(operation.payload);
    }
    operation.leave();
  }

  /** An operation is checked: only from now on does completing it end all work on it. */
  endCheck(operation: OpenOperation): void {
    operation.checking = false;
    this.leftUnchecked?.delete(operation.payload);
    if (this.leftUnchecked?.size === 0) this.leftUnchecked = undefined;
  }

  /** The operation that came with this message ended; another one may have its id by now. */
  endOperation(id: string, payload: unknown): void {
    if (this.open.get(id)?.payload === payload) this.leave(id);
  }
}

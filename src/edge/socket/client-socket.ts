import { WebSocket } from 'ws';
import type { SocketChannel } from './channel.js';
import type { Connection } from './connection.js';

/**
 * A WebSocket of the server, with what the edge keeps of it. Listeners find that here: they are functions that all sockets
 * share, where a closure of each socket would take memory for as long as the socket is open.
 */
export class ClientSocket extends WebSocket {
  /** Undefined until the socket is open. */
  connection: Connection | undefined = undefined;
  channel: SocketChannel | undefined = undefined;
  /** Reports to graphql-ws that it is closed. */
  closed: ((code: number, reason: string) => Promise<void>) | undefined = undefined;
  /** It was pinged and has not answered. */
  isUnanswered = false;
  /** When it is pinged, see `KeepAlive`. */
  turn = 0;
}

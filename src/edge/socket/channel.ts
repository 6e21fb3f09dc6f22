import { CloseCode, type WebSocket as GraphQLSocket, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { PresentedError } from '../errors.js';
import { LARGE_BODY_BYTES } from '../gate/http-gate.js';
import { WOULD_BE_ROUNDED } from '../json.js';
import type { Connection } from './connection.js';
import { completedId, inexactOperation, isTooLong } from './frames.js';

/** The client reads slower than its events arrive. It may connect again and resume with `after:`. */
export const SLOW_CONSUMER = { code: 4429, reason: 'Slow consumer' } as const;

/** A token cannot be checked for now, or a limit was reached: stock clients connect again by themselves. */
export const TRY_AGAIN = { code: 1013, reason: 'Try again later' } as const;

/** What may wait for a client in this process, in bytes. */
const MAX_BUFFERED_BYTES = 1_048_576;
/** How long a client has to answer a close before its connection is cut. */
const CLOSE_GRACE_MS = 2_000;

/** Closes politely, then surely. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return;
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** What the edge does for the messages of a socket that graphql-ws does not get. */
export interface MessageChecks {
  /** Whether it is known that any operation of its client is refused. */
  isRefused(connection: Connection): boolean;
  /** Charges a refused operation. @returns the error for its client */
  charged(connection: Connection, refusal: PresentedError): Promise<PresentedError>;
}

/**
 * A `ws` socket as graphql-ws wants it. Sending never waits for the client: a slow one is closed instead. An
 * operation with a number that parsing rounds is refused before graphql-ws parses it, and charged all the same; a long
 * message that is no operation closes the socket, and so does a large one of a client whose operations are refused: to answer
 * it, it would have to be parsed. The client may complete an operation that has not begun yet.
 */
export class SocketChannel implements GraphQLSocket {
  private handle: ((text: string) => Promise<void>) | undefined = undefined;

  constructor(
    private readonly connection: Connection,
    private readonly checks: MessageChecks,
  ) {}

  get protocol(): string {
    return this.connection.socket.protocol;
  }

  send(data: string): void {
    const { socket } = this.connection;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= MAX_BUFFERED_BYTES) {
      socket.send(data);
      return;
    }
    const fields = { closeCode: SLOW_CONSUMER.code, buffered: socket.bufferedAmount };
    this.connection.logger.info(fields, SLOW_CONSUMER.reason);
    closeSocket(socket, SLOW_CONSUMER.code, SLOW_CONSUMER.reason);
  }

  close(code: number = CloseCode.InternalServerError, reason = ''): void {
    closeSocket(this.connection.socket, code, reason);
  }

  /** For graphql-ws: what gets each message. */
  onMessage(handle: (text: string) => Promise<void>): void {
    this.handle = handle;
  }

  /** A message came. */
  receive(text: string): void {
    const { connection, checks, handle } = this;
    const { socket } = connection;
    // A client that is slow to answer a close may send on.
    if (!handle || socket.readyState !== socket.OPEN) return;
    if (text.length > LARGE_BODY_BYTES && checks.isRefused(connection)) {
      const fields = { closeCode: TRY_AGAIN.code, length: text.length };
      connection.logger.info(fields, 'a large message of a refused client');
      closeSocket(socket, TRY_AGAIN.code, TRY_AGAIN.reason);
      return;
    }
    if (isTooLong(text)) {
      closeSocket(socket, CloseCode.BadRequest, 'Message too long');
      return;
    }
    const completed = completedId(text);
    if (completed !== undefined) connection.leave(completed);
    const inexact = inexactOperation(text);
    const handled = inexact === undefined ? handle(text) : this.refuse(inexact);
    handled.catch((err: unknown) => {
      connection.logger.error({ err }, 'unexpected error on a socket');
      closeSocket(socket, CloseCode.InternalServerError, 'Internal server error');
    });
  }

  private async refuse(id: string): Promise<void> {
    const refusal = new PresentedError(WOULD_BE_ROUNDED, { code: 'BAD_USER_INPUT' });
    const error = await this.checks.charged(this.connection, refusal);
    this.send(JSON.stringify({ id, type: MessageType.Error, payload: [error] }));
  }
}

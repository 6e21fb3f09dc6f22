import { CloseCode, type WebSocket as GraphQLSocket, MessageType } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Logger } from '../../platform/logging/logger.js';
import { PresentedError } from '../errors.js';
import { LARGE_BODY_BYTES } from '../gate/http-gate.js';
import { WOULD_BE_ROUNDED } from '../json.js';
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

/**
 * A `ws` socket as graphql-ws wants it. Sending never waits for the client: a slow one is closed instead. An
 * operation with a number that parsing rounds is refused before graphql-ws parses it, and charged all the same; a long
 * message that is no operation closes the socket, and so does a large one of a client whose operations are refused: to answer
 * it, it would have to be parsed.
 *
 * @param operations `isRefused` says whether it is known that any operation is refused; `charged` charges a refused operation,
 *   and returns the error for its client; `completed` is called when the client completes an operation, also one that has not
 *   begun yet
 */
export function socketChannel(
  socket: WebSocket,
  logger: Logger,
  operations: {
    readonly isRefused: () => boolean;
    readonly charged: (refusal: PresentedError) => Promise<PresentedError>;
    readonly completed: (id: string) => void;
  },
): GraphQLSocket {
  function send(data: string): void {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount <= MAX_BUFFERED_BYTES) {
      socket.send(data);
      return;
    }
    logger.info({ closeCode: SLOW_CONSUMER.code, buffered: socket.bufferedAmount }, SLOW_CONSUMER.reason);
    closeSocket(socket, SLOW_CONSUMER.code, SLOW_CONSUMER.reason);
  }
  async function refuse(id: string): Promise<void> {
    const error = await operations.charged(new PresentedError(WOULD_BE_ROUNDED, { code: 'BAD_USER_INPUT' }));
    send(JSON.stringify({ id, type: MessageType.Error, payload: [error] }));
  }
  return {
    protocol: socket.protocol,
    send,
    close: (code = CloseCode.InternalServerError, reason = '') => closeSocket(socket, code, reason),
    onMessage(handle) {
      socket.on('message', (data) => {
        // A client that is slow to answer a close may send on.
        if (socket.readyState !== socket.OPEN) return;
        const text = String(data);
        if (text.length > LARGE_BODY_BYTES && operations.isRefused()) {
          logger.info(
            { closeCode: TRY_AGAIN.code, length: text.length },
            'a large message of a refused client',
          );
          return closeSocket(socket, TRY_AGAIN.code, TRY_AGAIN.reason);
        }
        if (isTooLong(text)) return closeSocket(socket, CloseCode.BadRequest, 'Message too long');
        const completed = completedId(text);
        if (completed !== undefined) operations.completed(completed);
        const inexact = inexactOperation(text);
        const handled = inexact === undefined ? handle(text) : refuse(inexact);
        handled.catch((err: unknown) => {
          logger.error({ err }, 'unexpected error on a socket');
          closeSocket(socket, CloseCode.InternalServerError, 'Internal server error');
        });
      });
    },
  };
}

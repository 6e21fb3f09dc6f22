import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Logger } from '../../platform/logger.js';
import { isUnauthenticated } from '../gate/requests.js';
import { closeSocket } from './channel.js';

const LOOKED_AT_EVERY_MS = 60_000;

/**
 * Looks every minute whether the API key that opened a socket still holds, and closes the socket with 4403 once it does
 * not. Where that cannot be told for now the socket stays, until the next look.
 *
 * @param authenticate as when the socket was opened; rejects as an authenticator does
 */
export function closeWhenRevoked(
  socket: WebSocket,
  authenticate: () => Promise<unknown>,
  logger: Pick<Logger, 'warn'>,
): void {
  let timer = arm();
  socket.once('close', () => clearTimeout(timer));

  function arm(): NodeJS.Timeout {
    return setTimeout(look, LOOKED_AT_EVERY_MS).unref();
  }

  async function look(): Promise<void> {
    try {
      await authenticate();
    } catch (err) {
      if (isUnauthenticated(err)) return closeSocket(socket, CloseCode.Forbidden, 'Forbidden');
      logger.warn({ err }, 'the key of a socket cannot be judged for now');
    }
    if (socket.readyState === socket.OPEN) timer = arm();
  }
}

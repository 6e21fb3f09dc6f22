import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging/logger.js';
import { isUnauthenticated } from '../gate/authentication.js';
import { closeSocket } from './channel.js';

/** What a timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** Closes the socket with 4403 when its token expires, however far off that is. */
export function closeAt(socket: WebSocket, expiresAt: number, clock: Clock): void {
  let timer = arm();
  socket.once('close', () => clearTimeout(timer));

  function arm(): NodeJS.Timeout {
    return setTimeout(onTime, Math.min(Math.max(0, expiresAt - clock.now()), LONGEST_TIMER_MS));
  }

  function onTime(): void {
    if (clock.now() < expiresAt) timer = arm();
    else closeSocket(socket, CloseCode.Forbidden, 'Forbidden');
  }
}

const LOOKED_AT_EVERY_MS = 60_000;

/**
 * Looks every minute whether the API key that opened a socket still holds, and closes the socket with 4403 once it does
 * not. Where the key cannot be checked for now the socket stays, until the next check.
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
      logger.warn({ err }, 'the API key of a socket could not be checked; it is checked again in a minute');
    }
    if (socket.readyState === socket.OPEN) timer = arm();
  }
}

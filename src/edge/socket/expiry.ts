import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging/logger.js';
import { isUnauthenticated } from '../gate/authentication.js';
import { closeSocket } from './channel.js';

/** What a timer can hold; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** Tokens expire at whole seconds. */
const SECOND_MS = 1_000;

/** Closes sockets with 4403 when their tokens expire, however far off that is. */
export type Expiries = ReturnType<typeof createExpiries>;

/**
 * One timer for all sockets, for the next second in which a token expires: a timer each would take more memory than anything
 * else that the edge keeps of an idle socket.
 */
export function createExpiries(clock: Clock) {
  /** By the second at which they are to be closed. */
  const bySecond = new Map<number, Set<WebSocket>>();
  const secondOf = new WeakMap<WebSocket, number>();
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Infinity;

  function arm(second: number): void {
    clearTimeout(timer);
    armedFor = second;
    if (second === Infinity) return;
    const ms = Math.max(0, second * SECOND_MS - clock.now());
    timer = setTimeout(onTime, Math.min(ms, LONGEST_TIMER_MS));
  }

  function onTime(): void {
    const now = clock.now();
    let next = Infinity;
    for (const [second, sockets] of bySecond) {
      if (second * SECOND_MS > now) next = Math.min(next, second);
      else {
        bySecond.delete(second);
        for (const socket of sockets) closeSocket(socket, CloseCode.Forbidden, 'Forbidden');
      }
    }
    arm(next);
  }

  return {
    /** @param expiresAt milliseconds since the epoch; what is left of that second is granted */
    add(socket: WebSocket, expiresAt: number): void {
      const second = Math.ceil(expiresAt / SECOND_MS);
      const sockets = bySecond.get(second) ?? new Set();
      bySecond.set(second, sockets.add(socket));
      secondOf.set(socket, second);
      if (second < armedFor) arm(second);
    },

    /** The socket is closed. */
    remove(socket: WebSocket): void {
      const second = secondOf.get(socket);
      const sockets = second === undefined ? undefined : bySecond.get(second);
      if (second === undefined || !sockets?.delete(socket) || sockets.size > 0) return;
      bySecond.delete(second);
      if (bySecond.size === 0) arm(Infinity);
    },
  };
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

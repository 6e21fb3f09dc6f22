import { CloseCode } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Clock } from '../../platform/clock.js';
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

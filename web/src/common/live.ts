import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { connectionStatus } from './connection-status.js';
import { resuming } from './resuming.js';
import { authorization, expire, session } from './session.js';

const socketUrl = new URL('/graphql', location.href);
socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';

const PING_EVERY_MS = 10_000;
/** A network that is gone closes nothing: what does not answer a ping is closed here. */
const PONG_WITHIN_MS = 5_000;
/** How graphql-ws says that it was told to end a socket. */
const TERMINATED = 4499;
/** By which the last socket was opened. */
let token: string | undefined;
let pong: ReturnType<typeof setTimeout> | undefined;
let isSilent = false;

/** Opened by the first subscription, closed by the last, and opened again for as long as anybody waits for it. */
export const socket = createClient({
  url: socketUrl.href,
  lazy: true,
  lazyCloseTimeout: 5_000,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (retries) => {
    const wait = Math.min(200 * 2 ** retries, 5_000) * (0.5 + Math.random() / 2);
    return new Promise((resolve) => setTimeout(resolve, wait));
  },
  keepAlive: PING_EVERY_MS,
  connectionParams: () => {
    token = session()?.token;
    return authorization();
  },
  on: {
    connected: () => connectionStatus.setSocket('connected'),
    ping: (isReceived) => {
      if (!isReceived) pong = setTimeout(endSilent, PONG_WITHIN_MS);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(pong);
    },
    closed: (event) => {
      clearTimeout(pong);
      const { code, wasClean } = event as CloseEvent;
      if ((code === 4401 || code === 4403) && token === session()?.token) expire();
      // One that was ended for another token opens again at once.
      const isOwn = (wasClean && code === 1000) || (code === TERMINATED && !isSilent);
      connectionStatus.setSocket(isOwn ? 'idle' : 'lost');
    },
  },
});

function endSilent(): void {
  isSilent = true;
  socket.terminate();
  isSilent = false;
}

// The sockets of another network do not come back with this one.
window.addEventListener('online', () => connectionStatus.get() !== 'idle' && endSilent());

export const liveLink = new GraphQLWsLink(resuming(socket, () => connectionStatus.setSocket('idle')));

import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import { connectionStatus } from './connection-status.js';
import { resuming } from './resuming.js';
import { authorization, expire } from './session.js';

const socketUrl = new URL('/graphql', location.href);
socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';

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
  keepAlive: 10_000,
  connectionParams: () => authorization(),
  on: {
    connected: () => connectionStatus.set('connected'),
    closed: (event) => {
      const { code, wasClean } = event as CloseEvent;
      if (code === 4401 || code === 4403) expire();
      connectionStatus.set(wasClean && code === 1000 ? 'idle' : 'lost');
    },
  },
});

export const liveLink = new GraphQLWsLink(resuming(socket));

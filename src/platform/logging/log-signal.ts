import { publish, subscribe } from '../redis/channel.js';
import { KEY_PREFIX, type Redis } from '../redis/redis.js';

const CHANNEL = `${KEY_PREFIX}:log`;

/**
 * Notifies projectors everywhere that the log has grown. Signals made while one is on its way are sent as one.
 * Losing a signal costs a poll's delay, nothing else.
 */
export function createLogSignal(redis: Redis): { appended(position: number): void } {
  let newest = 0;
  let sending = false;
  async function send(): Promise<void> {
    sending = true;
    while (newest > 0) {
      const position = newest;
      newest = 0;
      await publish(redis, CHANNEL, String(position)).catch(() => undefined);
    }
    sending = false;
  }
  return {
    appended(position) {
      newest = Math.max(newest, position);
      if (!sending) void send();
    },
  };
}

/** What a projector waits on between two batches. */
export interface LogWatch {
  /** Resolves when the log has grown since the last call, after `ms`, or when `signal` aborts. */
  grown(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * @param redis a connection of its own, for the subscription
 * @returns makes a watch for each projector of this process
 */
export async function watchLog(redis: Redis): Promise<{ watch(): LogWatch; close(): void }> {
  const wakers = new Set<() => void>();
  // What is missed while the connection is lost the poll finds.
  await subscribe(redis, CHANNEL, {
    heard() {
      for (const wake of wakers) wake();
    },
  });
  return {
    watch() {
      let isWoken = false;
      let wake: (() => void) | undefined;
      wakers.add(() => {
        isWoken = true;
        wake?.();
      });
      return {
        grown(ms, signal) {
          return new Promise<void>((resolve) => {
            const done = (): void => {
              clearTimeout(timer);
              signal.removeEventListener('abort', done);
              wake = undefined;
              isWoken = false;
              resolve();
            };
            const timer = setTimeout(done, ms);
            signal.addEventListener('abort', done, { once: true });
            wake = done;
            if (isWoken || signal.aborted) done();
          });
        },
      };
    },
    close: () => redis.disconnect(),
  };
}

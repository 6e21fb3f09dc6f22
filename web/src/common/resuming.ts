import type { Client } from 'graphql-ws';
import { connectionStatus } from './connection-status.js';

/**
 * Subscriptions that take `$after` go on where they were when a connection breaks: graphql-ws sends a subscription's variables
 * again whenever it connects, so the cursor of the newest update has to be among them. A document that has an id is sent
 * without its text.
 */
export function resuming(socket: Client): Client {
  return {
    ...socket,
    subscribe(payload, sink) {
      const variables: Record<string, unknown> = { ...payload.variables };
      let isOver = false;
      const over = (): void => {
        if (!isOver) connectionStatus.subscribed(-1);
        isOver = true;
      };
      connectionStatus.subscribed(1);
      const unsubscribe = socket.subscribe(
        { ...payload, variables, ...(payload.extensions?.persistedQuery ? { query: '' } : {}) },
        {
          next(result) {
            const [update] = Object.values(result.data ?? {}) as ({ cursor?: unknown } | null)[];
            if ('after' in variables && typeof update?.cursor === 'string') variables.after = update.cursor;
            sink.next(result as never);
          },
          error(error) {
            over();
            sink.error(error);
          },
          complete() {
            over();
            sink.complete();
          },
        },
      );
      return () => {
        over();
        unsubscribe();
      };
    },
  };
}

import type { Client } from 'graphql-ws';

/**
 * Subscriptions that take `$after` go on where they were when a connection breaks: graphql-ws sends a subscription's variables
 * again whenever it connects, so the cursor of the newest update has to be among them. A document that has an id is sent
 * without its text.
 *
 * @param onNone called when the last subscription has ended
 */
export function resuming(socket: Client, onNone: () => void): Client {
  const open = new Set<object>();
  return {
    ...socket,
    subscribe(payload, sink) {
      const variables: Record<string, unknown> = { ...payload.variables };
      open.add(variables);
      const end = (): void => {
        if (open.delete(variables) && open.size === 0) onNone();
      };
      const unsubscribe = socket.subscribe(
        { ...payload, variables, ...(payload.extensions?.persistedQuery ? { query: '' } : {}) },
        {
          next(result) {
            const [update] = Object.values(result.data ?? {}) as ({ cursor?: unknown } | null)[];
            if ('after' in variables && typeof update?.cursor === 'string') variables.after = update.cursor;
            sink.next(result as never);
          },
          error: (error) => {
            end();
            sink.error(error);
          },
          complete: () => {
            end();
            sink.complete();
          },
        },
      );
      return () => {
        end();
        unsubscribe();
      };
    },
  };
}

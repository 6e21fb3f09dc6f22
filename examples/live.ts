import { type Client, createClient } from 'graphql-ws';
import type { Session } from './feed-app.js';

/** Within 8 s, and not everybody at once. */
const waitMs = (retries: number): number => Math.min(500 * 2 ** retries, 5_000) * (0.5 + Math.random());
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * A graphql-ws client whose subscriptions go on where they were when a connection breaks: the server sends an update's
 * `cursor`, and takes it back as `after`. graphql-ws sends a subscription's variables anew whenever it reconnects, so the
 * newest cursor only has to be among them. The first `after` is the `liveCursor` of the first page. A document that is named
 * by its id is sent without its text.
 */
export function openSocket({ url, token }: Session): Client {
  const socket = createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    connectionParams: () => ({ authorization: `Bearer ${token()}` }),
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) => pause(waitMs(retries)),
  });
  return {
    ...socket,
    subscribe(payload, sink) {
      const variables: Record<string, unknown> = { ...payload.variables };
      const query = payload.extensions?.persistedQuery ? '' : payload.query;
      return socket.subscribe(
        { ...payload, query, variables },
        {
          next(result) {
            const [update] = Object.values(result.data ?? {}) as { cursor?: string }[];
            if (update?.cursor !== undefined) variables.after = update.cursor;
            sink.next(result as never);
          },
          error: (error) => sink.error(error),
          complete: () => sink.complete(),
        },
      );
    },
  };
}

/** Whether a subscription has ended since too much was missed to be sent post by post: the feed is read anew, and followed from there. */
export const isExpired = (codes: readonly unknown[]): boolean => codes.includes('CURSOR_EXPIRED');

/** Tries until it is done or closed: the connection may break again meanwhile. */
export async function untilDone(act: () => Promise<void>, closed: AbortSignal): Promise<void> {
  for (let retries = 0; !closed.aborted; retries += 1) {
    try {
      return await act();
    } catch {
      await pause(waitMs(retries));
    }
  }
}

/** Runs one read after the other: a page that is asked for while another one is on its way begins where that one ends. */
export function oneAtATime(): <T>(read: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (read) => {
    const next = last.then(read, read);
    last = next;
    return next;
  };
}

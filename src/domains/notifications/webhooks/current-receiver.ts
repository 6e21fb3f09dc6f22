import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from './relay-store.js';

/** For so long after the start of a read requests may begin by what it found. */
const KNOWN_MS = 500;
/** Timers may end a little early, and a request begins a little after it was decided. */
const MARGIN_MS = 50;
/** Reads in a row that take longer than that, after which nobody is sent anything. */
const MOST_READS = 3;

/**
 * Waits until no process begins a request any more by what it had read of a webhook before a change that is committed: from then on
 * requests go to the webhook as it is.
 */
export const untilReceiversAreRead = (): Promise<void> => pause(KNOWN_MS + MARGIN_MS);

/** Where events of a webhook go at this moment. */
export interface CurrentReceiver {
  /** Nothing where none may be sent, or where it cannot be read soon enough. A request that it is for has to begin at once. */
  get(): Promise<Receiver | undefined>;
  /** It has changed: it is read again before it is used. */
  forget(): void;
}

/** Of one webhook: what was read holds for half a second, however many events are sent meanwhile. */
export function createCurrentReceiver(read: () => Promise<Receiver | undefined>): CurrentReceiver {
  let latest: { readonly since: number; readonly found: Promise<Receiver | undefined> } | null = null;
  const isKnown = (since: number): boolean => performance.now() - since < KNOWN_MS;
  return {
    async get() {
      for (let reads = 0; reads < MOST_READS; reads += 1) {
        if (!latest || !isKnown(latest.since)) latest = { since: performance.now(), found: read() };
        const asked = latest;
        const receiver = await asked.found;
        if (asked === latest && isKnown(asked.since)) return receiver;
      }
      return undefined;
    },
    forget() {
      latest = null;
    },
  };
}

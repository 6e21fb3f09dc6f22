import { type CounterStore, type CounterUse, StoreUnreachable } from './counters/store.js';
import type { FailOpenEvents } from './fail-open-events.js';

/** Null where everything was admitted. */
export type DeclaredRefusal = {
  /** The index of the use whose window is full, of several the one that stays full for the longest. */
  readonly window: number;
  /** Until it may be tried again; above 0. */
  readonly retryAfterMs: number;
} | null;

/**
 * Makes what charges limits that code declares, all uses or none. Never rejects: what the counters cannot be asked for is
 * admitted, and counted as a fail-open event.
 *
 * @param onError gets what the store threw, unless it is that no counter can be reached: that is logged where the
 *   connection is opened
 */
export function createChargeOrAdmit(deps: {
  store: Pick<CounterStore, 'charge'>;
  failOpen: FailOpenEvents;
  onError: (error: unknown) => void;
}): (uses: readonly CounterUse[], isBulk?: boolean) => Promise<DeclaredRefusal> {
  const { store, failOpen, onError } = deps;
  return async (uses, isBulk) => {
    try {
      const { admitted, violated, readings } = await store.charge(uses, isBulk);
      if (admitted) return null;
      return { window: violated, retryAfterMs: Math.max(1, readings[violated]?.retryAfterMs ?? 0) };
    } catch (error) {
      failOpen.count(error);
      if (!(error instanceof StoreUnreachable) || error.errorType === 'command') onError(error);
      return null;
    }
  };
}

import { LRUCache } from 'lru-cache';
import type { KeptState } from './aggregate.js';

const MOST_STATES = 5_000;

/**
 * States of aggregates between two commands, as this process's own appends left them. One that others have changed meanwhile costs a
 * conflict, since the append expects its version; one that the server does not know of any more, too, since the append expects the
 * server's life. So it may serve for accepting a command, and never for refusing one.
 */
export interface KeptStates {
  /** The state of an aggregate, of this kind of aggregates. */
  find<State>(kind: object, streamId: string): KeptState<State> | undefined;
  keep<State>(kind: object, streamId: string, state: KeptState<State>): void;
  forget(streamId: string): void;
}

/** At most 5,000, those that were used last. */
export function createKeptStates(): KeptStates {
  // Not `max`, for which all memory is reserved at once.
  const states = new LRUCache<string, { readonly kind: object; readonly kept: KeptState<unknown> }>({
    maxSize: MOST_STATES,
    sizeCalculation: () => 1,
  });
  return {
    find<State>(kind: object, streamId: string) {
      const found = states.get(streamId);
      return found?.kind === kind ? (found.kept as KeptState<State>) : undefined;
    },
    keep(kind, streamId, { state, version, life }) {
      states.set(streamId, { kind, kept: { state, version, life } });
    },
    forget: (streamId) => void states.delete(streamId),
  };
}

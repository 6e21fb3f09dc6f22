import { LRUCache } from 'lru-cache';
import { forEverybody } from '../wake-ups/reader.js';

/**
 * Options of an LRUCache that keeps so many entries. It takes memory for those that it holds; with `max` it would reserve for
 * all of them when it is made: megabytes in a process that has just started.
 */
export const upTo = (
  entries: number,
): { readonly maxSize: number; readonly sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});

type Load<Value> = (key: string) => Promise<Value>;

/** Values that are loaded when they are first asked for. */
export interface LoadingCache<Value> {
  /** The value, at once where it is kept; else what `load` brings, once for all who ask meanwhile. No failure is kept. */
  get(key: string, load: Load<Value>): Value | Promise<Value>;
  /** The value where it is kept; else undefined, and nothing is loaded. */
  peek(key: string): Value | undefined;
  /** A load of it that is on its way is not kept, and nobody else joins it. */
  forget(key: string): void;
  forgetAll(): void;
}

export interface LoadingCacheOptions<Value> {
  /** The sum of what `sizeOf` says of all values that are kept; the ones used last stay. */
  readonly maxSize: number;
  /** A whole number above zero; 1 by default. */
  readonly sizeOf?: (value: Value) => number;
  /** Milliseconds, counted from when the load began; without it a value is kept as long as there is space. */
  readonly lifetimeOf?: (value: Value) => number;
  /** A value that has outlived its time is used while another is loaded, and where none can be. */
  readonly servesStale?: boolean;
  /** Milliseconds that only ever grow; the process's own by default. */
  readonly now?: () => number;
}

/**
 * lru-cache's `fetch`, set up once for all caches of what is loaded: one load for all who ask, kept for a bounded time in a
 * bounded space, unless it was forgotten meanwhile. A load goes on when the reader who began it leaves.
 */
export function createLoadingCache<Value extends object | true>(
  options: LoadingCacheOptions<Value>,
): LoadingCache<Value> {
  const {
    maxSize,
    sizeOf = () => 1,
    lifetimeOf,
    servesStale = false,
    now = () => performance.now(),
  } = options;
  const kept = new LRUCache<string, Value, Load<Value>>({
    maxSize,
    sizeCalculation: sizeOf,
    perf: { now },
    ttlResolution: 0,
    allowStale: servesStale,
    noDeleteOnStaleGet: servesStale,
    noDeleteOnFetchRejection: servesStale,
    // Those who wait for a load get what it brings, also where it is forgotten meanwhile.
    ignoreFetchAbort: true,
    async fetchMethod(key, _, { context: load, options: keeping }) {
      const beganAt = now();
      const value = await forEverybody(() => load(key));
      // For lru-cache 0 is for ever.
      if (lifetimeOf) keeping.ttl = lifetimeOf(value) - (now() - beganAt) || -1;
      return value;
    },
  });
  return {
    get: (key, load) => kept.get(key, { allowStale: false }) ?? kept.forceFetch(key, { context: load }),
    peek: (key) => kept.get(key, { allowStale: false }),
    forget: (key) => void kept.delete(key),
    forgetAll: () => kept.clear(),
  };
}

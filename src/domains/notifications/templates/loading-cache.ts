import { LRUCache } from 'lru-cache';
import { forEverybody } from '../../../platform/reader.js';

/** Values that are loaded when they are first asked for. */
export interface LoadingCache<Value> {
  /** The value out of memory, or loaded: by one load for all who ask meanwhile. Rejects with the load. */
  get(key: string): Promise<Value>;
  /** A load of it that is on its way is not kept, and nobody else joins it. */
  forget(key: string): void;
  forgetAll(): void;
}

export interface LoadingCacheOptions<Value> {
  readonly load: (key: string) => Promise<Value>;
  /** The sum of what `sizeOf` says of all values that are kept; the ones used last stay. */
  readonly maxSize: number;
  /** A whole number above zero. */
  readonly sizeOf: (value: Value) => number;
  /** Milliseconds. */
  readonly lifetimeOf: (value: Value) => number;
  /** Milliseconds that only ever grow. */
  readonly now: () => number;
}

export function createLoadingCache<Value extends object>(
  options: LoadingCacheOptions<Value>,
): LoadingCache<Value> {
  const { load, maxSize, sizeOf, lifetimeOf, now } = options;
  const values = new LRUCache<string, Value>({
    maxSize,
    sizeCalculation: sizeOf,
    ttl: 1,
    ttlResolution: 0,
    perf: { now },
  });
  const loading = new Map<string, Promise<Value>>();

  function start(key: string): Promise<Value> {
    const own = forEverybody(() => load(key)).then(
      (value) => {
        if (finish(key, own)) values.set(key, value, { ttl: lifetimeOf(value) });
        return value;
      },
      (error: unknown) => {
        finish(key, own);
        throw error;
      },
    );
    loading.set(key, own);
    return own;
  }

  /** Whether this load is still the one that counts. */
  const finish = (key: string, own: Promise<Value>): boolean =>
    loading.get(key) === own && loading.delete(key);

  return {
    async get(key) {
      return values.get(key) ?? loading.get(key) ?? start(key);
    },
    forget(key) {
      values.delete(key);
      loading.delete(key);
    },
    forgetAll() {
      values.clear();
      loading.clear();
    },
  };
}

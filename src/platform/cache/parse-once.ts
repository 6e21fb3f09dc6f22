import { LRUCache } from 'lru-cache';

/** Bytes that each of these remembers. */
const REMEMBERED = 16_000_000;
/** What an entry takes besides its key and its bytes; what it was parsed to is not counted. */
const ENTRY = 600;

/** An id with what was remembered of it when it was looked up. */
export interface Known<Value> {
  readonly id: string;
  readonly prefix: string;
  /** `prefix` and `id`: where the bytes are kept. */
  readonly key: string;
  /** Null where nothing was. */
  readonly last: { readonly bytes: Buffer; readonly value: Value } | null;
}

/**
 * Remembers what bytes were parsed to, by id. Who asks brings the bytes as they are now: what changed is parsed anew, so
 * nothing that comes out is older than what went in. Values are shared: nobody may change them.
 */
export interface ParseOnce<Value> {
  /** What is remembered of an id where it is kept under this prefix. */
  of(prefix: string, id: string): Known<Value>;
  /**
   * What the bytes stand for: the same object for all who bring the same, also where they looked up at once.
   *
   * @param bytes UTF-8 text, and a view of more perhaps: what is remembered is a copy
   */
  parse(known: Known<Value>, bytes: Buffer): Value;
}

export function parseOnce<Value>(parse: (text: string) => Value): ParseOnce<Value> {
  const remembered = new LRUCache<string, Known<Value>>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ key, last }) => key.length + (last?.bytes.length ?? 0) + ENTRY,
  });
  const of = (prefix: string, id: string): Known<Value> => {
    const known = remembered.get(id);
    return known?.prefix === prefix ? known : { id, prefix, key: prefix + id, last: null };
  };
  return {
    of,
    parse(known, bytes) {
      if (known.last?.bytes.equals(bytes)) return known.last.value;
      // Others who looked up at the same time may have been faster.
      const { last } = of(known.prefix, known.id);
      if (last?.bytes.equals(bytes)) return last.value;
      const value = parse(bytes.toString());
      // A pool would keep a whole page of itself for each that stays.
      const own = Buffer.allocUnsafeSlow(bytes.length);
      bytes.copy(own);
      remembered.set(known.id, { ...known, last: { bytes: own, value } });
      return value;
    },
  };
}

import { LRUCache } from 'lru-cache';

/** Characters that each of these remembers. */
const REMEMBERED = 16_000_000;
/** What an entry takes besides its text, in characters. */
const ENTRY = 200;

/**
 * Remembers what texts were parsed to, by id. Who asks brings the text as it is now: one that changed is parsed anew, so
 * nothing that comes out is older than what went in. Values are shared: nobody may change them.
 */
export function parseOnce<Value extends object>(
  parse: (text: string) => Value,
): (id: string, text: string) => Value {
  const known = new LRUCache<string, { readonly text: string; readonly value: Value }>({
    maxSize: REMEMBERED,
    sizeCalculation: ({ text }) => text.length + ENTRY,
  });
  return (id, text) => {
    const held = known.get(id);
    if (held?.text === text) return held.value;
    const value = parse(text);
    known.set(id, { text, value });
    return value;
  };
}

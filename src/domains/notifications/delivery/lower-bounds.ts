import { LRUCache } from 'lru-cache';

/** What was begun before a value was seen is committed, or over, by then: no transaction of the product's lasts longer. */
const SETTLED_AFTER_MS = 60_000;
/** So often the whole queue is looked through: what came below its bound nevertheless is found then. */
const WHOLE_LOOK_EVERY_MS = 600_000;
const MAX_KEYS = 20_000;

/**
 * From where on to look in a queue whose items come at its end, and go anywhere. While somebody holds an old snapshot, its
 * index keeps an entry of everything that went since, and a reader that begins at its head walks past all of them each time.
 */
export interface LowerBounds<Value> {
  /** Nothing waits below this value any more; null where that is not known, and when it is time for a look without a bound. */
  of(key: string): Value | null;
  /** The same, for callers that leave the look without a bound to others. */
  known(key: string): Value | null;
  /** Whether the least value of a key should be looked for: only then it leads to anything. */
  wants(key: string): boolean;
  /** Notes the least value that waits just now. */
  saw(key: string, least: Value): void;
}

interface Entry<Value> {
  bound: Value | null;
  candidate: Value;
  candidateAt: number;
  wholeLookAt: number;
}

/** @param monotonicMs milliseconds of a clock that nobody sets */
export function createLowerBounds<Value extends bigint | Date>(
  monotonicMs: () => number,
): LowerBounds<Value> {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_KEYS });
  const isSettled = (entry: Entry<Value>): boolean => monotonicMs() - entry.candidateAt >= SETTLED_AFTER_MS;
  const isWholeLookDue = (entry: Entry<Value>): boolean =>
    monotonicMs() - entry.wholeLookAt >= WHOLE_LOOK_EVERY_MS;

  return {
    of(key) {
      const entry = entries.get(key);
      if (!entry) return null;
      if (!isWholeLookDue(entry)) return entry.bound;
      entry.wholeLookAt = monotonicMs();
      return null;
    },
    known: (key) => entries.get(key)?.bound ?? null,
    wants(key) {
      const entry = entries.get(key);
      return !entry || isSettled(entry) || isWholeLookDue(entry);
    },
    saw(key, least) {
      const now = monotonicMs();
      const entry = entries.get(key);
      if (!entry) {
        entries.set(key, { bound: null, candidate: least, candidateAt: now, wholeLookAt: now });
        return;
      }
      if (entry.bound !== null && least < entry.bound) entry.bound = least;
      if (least < entry.candidate) entry.candidate = least;
      if (!isSettled(entry)) return;
      entry.bound = entry.candidate;
      entry.candidate = least;
      entry.candidateAt = now;
    },
  };
}

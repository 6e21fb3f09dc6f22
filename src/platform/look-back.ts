/**
 * Rows become visible with their transaction's commit, and those that were locked while others looked stay where they are:
 * so far before its last look a process looks again.
 */
const MARGIN_MS = 10_000;
/** Between two looks at everything, at least; and they take a hundredth of the time at most. */
const EVERYTHING_EVERY_MS = 60_000;
const EVERYTHING_SHARE = 100;

/** How far back a look at what is due goes. */
export interface LookBack {
  /**
   * Looks once.
   *
   * @param look gets how many milliseconds it goes back, by the clock that rows are due by, or null for everything; it
   * answers whether it left nothing that is due
   */
  look<T>(look: (backMs: number | null) => Promise<T>, leftNothing: (found: T) => boolean): Promise<T>;
}

/**
 * A queue in a table, in the order of when its rows are due, is read from its old end. What was taken from there is dead;
 * while anybody holds an old snapshot vacuum may not remove it, and each look would walk over all of it. A look that found
 * nothing more to take shows that whatever becomes due later lies behind it, so the next one begins there, and a margin
 * earlier. What comes to lie further back all the same (a transaction that was open for longer, a clock that was set back)
 * is found by a look at everything, once a minute.
 *
 * @param now milliseconds; set back, it looks at everything
 */
export function createLookBack(now: () => number = () => performance.now()): LookBack {
  let emptiedAt: number | undefined;
  let everythingAt = Number.NEGATIVE_INFINITY;
  return {
    async look(look, leftNothing) {
      const startedAt = now();
      const from = startedAt < everythingAt ? emptiedAt : undefined;
      const isPartial = from !== undefined && from <= startedAt;
      const found = await look(isPartial ? startedAt - from + MARGIN_MS : null);
      if (!leftNothing(found)) return found;
      emptiedAt = startedAt;
      if (!isPartial) {
        const endedAt = now();
        everythingAt = endedAt + Math.max(EVERYTHING_EVERY_MS, (endedAt - startedAt) * EVERYTHING_SHARE);
      }
      return found;
    },
  };
}

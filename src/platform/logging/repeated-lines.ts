/** So many lines of one kind pass in a row; then one after `FIRST_WAIT_MS`, the next after twice as long, and so on. */
const BURST = 5;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;
/** Messages are written in the code: a few hundred, about a few tasks and queues each. What makes them up is kept from taking memory. */
const MOST_KINDS = 1_000;

interface Kind {
  /** Lines that may pass now, in parts too. */
  tokens: number;
  /** Milliseconds until another one may. */
  wait: number;
  at: number;
  suppressed: number;
}

/** What becomes of a line: it is dropped (null), or it passes, with how many of its kind were dropped before it. */
export type Thinning = (kind: string, now: number) => { readonly suppressed: number } | null;

/**
 * Thins out lines that repeat: of each kind the first 5 pass, then one after 2 s, 4 s, 8 s and so on, at last one a minute. A pause of
 * as long lets one more pass, and one of a minute is an end: it begins anew.
 */
export function thinOut(): Thinning {
  const kinds = new Map<string, Kind>();
  return (name, now) => {
    let kind = kinds.get(name);
    if (!kind) {
      if (kinds.size >= MOST_KINDS) kinds.clear();
      kind = { tokens: BURST, wait: FIRST_WAIT_MS, at: now, suppressed: 0 };
      kinds.set(name, kind);
    }
    const quietFor = now - kind.at;
    if (quietFor >= LONGEST_WAIT_MS) kind.wait = FIRST_WAIT_MS;
    kind.tokens = Math.min(BURST, kind.tokens + quietFor / kind.wait);
    kind.at = now;
    if (kind.tokens < 1) {
      kind.suppressed += 1;
      return null;
    }
    kind.tokens -= 1;
    const { suppressed } = kind;
    if (suppressed > 0) kind.wait = Math.min(LONGEST_WAIT_MS, kind.wait * 2);
    kind.suppressed = 0;
    return { suppressed };
  };
}

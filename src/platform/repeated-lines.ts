/** So many lines of one kind pass in a row, and then one in every `REFILL_MS`. */
const BURST = 5;
const REFILL_MS = 2_000;
/** Messages are written in the code: a few hundred, about a few tasks and queues each. What makes them up is kept from taking memory. */
const MOST_KINDS = 1_000;

interface Kind {
  /** Lines that may pass now, in parts too. */
  tokens: number;
  at: number;
  suppressed: number;
}

/** What becomes of a line: it is dropped (null), or it passes, with how many of its kind were dropped before it. */
export type Thinning = (kind: string, now: number) => { readonly suppressed: number } | null;

/** Thins out lines that repeat: of each kind the first 5 pass, then one every 2 s; a pause lets more pass again. */
export function thinOut(): Thinning {
  const kinds = new Map<string, Kind>();
  return (name, now) => {
    let kind = kinds.get(name);
    if (!kind) {
      if (kinds.size >= MOST_KINDS) kinds.clear();
      kind = { tokens: BURST, at: now, suppressed: 0 };
      kinds.set(name, kind);
    }
    kind.tokens = Math.min(BURST, kind.tokens + (now - kind.at) / REFILL_MS);
    kind.at = now;
    if (kind.tokens < 1) {
      kind.suppressed += 1;
      return null;
    }
    kind.tokens -= 1;
    const { suppressed } = kind;
    kind.suppressed = 0;
    return { suppressed };
  };
}

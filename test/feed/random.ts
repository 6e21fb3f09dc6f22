/** Repeatable chance: the same seed, the same choices. */
export interface Chance {
  readonly seed: number;
  /** From 0 up to but not including `below`. */
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True once in `times`. */
  once(times: number): boolean;
}

/** @param seed where absent, of FEED_SEED or of the moment */
export function createChance(seed = Number(process.env.FEED_SEED ?? Date.now() % 1_000_000_000)): Chance {
  let state = seed >>> 0;
  // Mulberry32.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return { seed, int, pick: (from) => from[int(from.length)]!, once: (times) => int(times) === 0 };
}

/** Chance that is the same for the same seed. */
export interface Random {
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
}

/** mulberry32 over an FNV-1a hash of the seed. */
export function seeded(seed: string): Random {
  let state = 2_166_136_261;
  for (let i = 0; i < seed.length; i += 1) state = Math.imul(state ^ seed.charCodeAt(i), 16_777_619);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}

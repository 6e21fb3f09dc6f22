import { base, en, Faker, generateMersenne53Randomizer } from '@faker-js/faker';

/** A stream of chance that is the same in every run. */
export interface Random {
  /** Lifelike names and words, drawn from the same stream. */
  readonly faker: Faker;
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** True in `probability` of all cases. */
  chance(probability: number): boolean;
  /** One of the items, each as likely as the others. */
  pick<T>(items: readonly T[]): T;
}

/** @param seed one for each kind of row, so that more rows of one kind change no row of another */
export function seededRandom(seed: number): Random {
  const randomizer = generateMersenne53Randomizer(seed);
  const next = () => randomizer.next();
  return {
    faker: new Faker({ locale: [en, base], randomizer }),
    next,
    int: (low, high) => low + Math.floor(next() * (high - low + 1)),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)]!,
  };
}

/** Draws indexes of `weights`, each as often as its weight says. */
export function weightedIndex(weights: readonly number[], random: Random): () => number {
  const cumulative = new Float64Array(weights.length);
  let total = 0;
  for (const [index, weight] of weights.entries()) {
    total += weight;
    cumulative[index] = total;
  }
  return () => firstAbove(cumulative, random.next() * total);
}

/** The first index whose value is above `x`; `sorted` never falls. The last one where none is. */
export function firstAbove(sorted: Float64Array, x: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! > x) high = middle;
    else low = middle + 1;
  }
  return low;
}

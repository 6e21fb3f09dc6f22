/** SimHashes of near-identical texts differ in at most this many of their 64 bits. */
const MOST_BITS = 3;

/**
 * Leaves of posts that say nearly the same only the first one.
 *
 * @param items best first
 */
export function withoutNearDuplicates<Item>(
  items: readonly Item[],
  fingerprintOf: (item: Item) => bigint | null,
): Item[] {
  const kept: Item[] = [];
  // Halves, because bigint arithmetic on every pair would cost more than all the rest of a page.
  const highs: number[] = [];
  const lows: number[] = [];
  for (const item of items) {
    const fingerprint = fingerprintOf(item);
    if (fingerprint !== null) {
      const high = Number(BigInt.asIntN(32, fingerprint >> 32n));
      const low = Number(BigInt.asIntN(32, fingerprint));
      const isKnown = highs.some((other, i) => bitsOf(other ^ high) + bitsOf(lows[i]! ^ low) <= MOST_BITS);
      if (isKnown) continue;
      highs.push(high);
      lows.push(low);
    }
    kept.push(item);
  }
  return kept;
}

/** How many bits are set, of 32. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

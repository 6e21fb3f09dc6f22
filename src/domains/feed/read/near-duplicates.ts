import type { Candidate } from '../ranking/rank.js';

/** SimHashes of near-identical texts differ in at most this many of their 64 bits. */
const MOST_BITS = 3;

/**
 * Tells whether a post says nearly the same as one that was asked about before: of such, the first one is news.
 *
 * @returns asked about one post's fingerprint after the other, best first; null says nothing that could be said again
 */
export function createRepetitions(): (fingerprint: bigint | null) => boolean {
  // Halves, because bigint arithmetic on every pair would cost more than all the rest of a page.
  const highs: number[] = [];
  const lows: number[] = [];
  return (fingerprint) => {
    if (fingerprint === null) return false;
    const high = Number(BigInt.asIntN(32, fingerprint >> 32n));
    const low = Number(BigInt.asIntN(32, fingerprint));
    for (let i = 0; i < highs.length; i++)
      if (bitsOf(highs[i]! ^ high) + bitsOf(lows[i]! ^ low) <= MOST_BITS) return true;
    highs.push(high);
    lows.push(low);
    return false;
  };
}

/** What a candidate is compared by; nothing of one's own is hidden, or hides another's. */
export const comparedBy = ({ source, post }: Candidate): bigint | null =>
  source === 'OWN' ? null : post.fingerprint;

/** How many bits are set, of 32. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

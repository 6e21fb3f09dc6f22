import type { Candidate } from '../ranking/rank.js';
import { newestFirst, type Post, placeOf } from '../types.js';

/** SimHashes of near-identical texts differ in at most this many of their 64 bits. */
const MOST_BITS = 3;
const NONE: ReadonlySet<never> = new Set();

/**
 * Those of `fresh` that are left out because they are near-identical to another: the one that the reader was shown stays,
 * else the one that clearly more people reacted to, else the earliest, so that no copy hides its original. The order of the
 * posts makes no difference.
 *
 * @param shown what the reader was shown before
 */
export function repeatedAmong(
  fresh: readonly Candidate[],
  shown: readonly Candidate[] = [],
): ReadonlySet<Candidate> {
  const compared = [...shown, ...fresh].filter((one) => comparedBy(one) !== null);
  const alike = createAlike(compared.map((one) => comparedBy(one)!));
  const noneAlike = compared.every((_, at) => !alike.has(at) && alike.add(at));
  alike.clear();
  // Almost always: none is near-identical to another, and nothing has to be sorted.
  if (noneAlike) return NONE;
  const seen = new Set(shown);
  const levels = compared.map(({ post }) => levelOf(post));
  const bestFirst = (a: number, b: number): number =>
    Number(seen.has(compared[b]!)) - Number(seen.has(compared[a]!)) ||
    levels[b]! - levels[a]! ||
    newestFirst(placeOf(compared[b]!.post), placeOf(compared[a]!.post));
  const repeated = new Set<Candidate>();
  for (const at of [...compared.keys()].sort(bestFirst)) {
    const one = compared[at]!;
    // One of those that stay is enough to compare with: a hundred posts of the same text are a hundred comparisons.
    if (seen.has(one) || !alike.has(at)) alike.add(at);
    else repeated.add(one);
  }
  alike.clear();
  return repeated;
}

/** What a candidate is compared by; the reader's own posts are not hidden, and hide none. */
export const comparedBy = ({ source, post }: Candidate): bigint | null =>
  source === 'OWN' ? null : post.fingerprint;

/** Fewer reactions mean nothing: one of them may be the author's. */
const FEWEST_REACTIONS = 3;

/**
 * How many people reacted, as what counts here: 0 below three, and one more with each doubling, at 3, 6, 12, 24, … Comments
 * and shares do not count, since one person can add any number of them to their own post.
 */
function levelOf({ reactionCounts }: Post): number {
  const reactions = Object.values(reactionCounts).reduce((sum, count) => sum + count, 0);
  return 32 - Math.clz32(reactions / FEWEST_REACTIONS);
}

/** Fingerprints that differ in three bits agree in one quarter of 16 bits at least: only such are compared. */
const QUARTERS = 4;
/** By quarter and its value: the last one added with it, counted from 1. Empty between calls. */
const added = new Uint16Array(QUARTERS << 16);

/** Finds out whether a fingerprint, by its index, is near-identical to one of those that were added. Cleared after use. */
function createAlike(fingerprints: readonly bigint[]) {
  const { buffer } = BigInt64Array.from(fingerprints);
  const [quarters, halves] = [new Uint16Array(buffer), new Int32Array(buffer)];
  const before = new Uint16Array(quarters.length);
  const slotOf = (at: number): number => ((at & 3) << 16) | quarters[at]!;
  const bitsApart = (one: number, other: number): number =>
    bitsOf(halves[2 * one]! ^ halves[2 * other]!) + bitsOf(halves[2 * one + 1]! ^ halves[2 * other + 1]!);
  return {
    has(one: number): boolean {
      for (let at = QUARTERS * one; at < QUARTERS * (one + 1); at += 1)
        for (let next = added[slotOf(at)]!; next !== 0; next = before[next - 1]!)
          if (bitsApart(one, (next - 1) >> 2) <= MOST_BITS) return true;
      return false;
    },
    add(one: number): true {
      for (let at = QUARTERS * one; at < QUARTERS * (one + 1); at += 1) {
        before[at] = added[slotOf(at)]!;
        added[slotOf(at)] = at + 1;
      }
      return true;
    },
    clear(): void {
      for (let at = 0; at < quarters.length; at += 1) added[slotOf(at)] = 0;
    },
  };
}

/** How many bits are set, of 32. */
function bitsOf(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

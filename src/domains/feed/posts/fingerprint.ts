import { hash } from 'node:crypto';
import { inForm } from '../../../platform/text.js';

const BITS = 64;
/** Words that are hashed together: their order counts. */
const SHINGLE = 2;
/** A shorter text says too little: two that mean nothing alike would look alike. */
const FEWEST_WORDS = 5;

/**
 * The SimHash (Charikar) of a text: texts that differ in a few words differ in a few of its 64 bits. Case, punctuation
 * and white space do not count. Null for a text of fewer than five words.
 */
export function fingerprintOf(text: string): bigint | null {
  const words = wordsOf(text);
  if (words.length < FEWEST_WORDS) return null;
  const votes = new Int32Array(BITS);
  for (let i = 0; i + SHINGLE <= words.length; i += 1) {
    const digest = hash('sha1', words.slice(i, i + SHINGLE).join(' '), 'buffer');
    for (let bit = 0; bit < BITS; bit += 1) votes[bit]! += (digest[bit >> 3]! >> (bit & 7)) & 1 ? 1 : -1;
  }
  let fingerprint = 0n;
  for (let bit = 0; bit < BITS; bit += 1) if (votes[bit]! > 0) fingerprint |= 1n << BigInt(bit);
  // As a bigint column holds it.
  return BigInt.asIntN(BITS, fingerprint);
}

/** The words of a text, whatever their case. */
export const wordsOf = (text: string): string[] =>
  inForm(text, 'NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

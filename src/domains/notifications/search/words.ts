import { inForm } from '../../../platform/text.js';

/** Characters of a word; what is longer is cut, in texts and in queries alike. */
const LONGEST_WORD = 64;

/** Letters of scripts that put no blanks between words are words of their own. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}]+/gu;

const MARKS = /\p{M}+/gu;

/**
 * The words of a text as the search compares them: in lower case, without accents, each once, in order. Whatever is neither a letter
 * nor a digit separates them, so that an address has several: `ada@example.com` has `ada`, `example` and `com`.
 */
export function wordsOf(text: string): readonly string[] {
  const plain = inForm(text.toLowerCase(), 'NFKD').replace(MARKS, '');
  return [...new Set(plain.match(WORD)?.map((word) => word.slice(0, LONGEST_WORD).toWellFormed()))];
}

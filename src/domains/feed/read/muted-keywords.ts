import type { Relations } from '../graph/relations.js';

const WORD = '[\\p{L}\\p{M}\\p{N}_]';
/** Scripts that put no spaces between words: a keyword of theirs stands anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

type Finder = (text: string) => boolean;
const nothing: Finder = () => false;
/** Relations stay the same object until they change: a reader's keywords are compiled once. */
const compiled = new WeakMap<Relations, Finder>();

/** Whether a text holds one of the reader's muted keywords as a word or words of its own, whatever their case. */
export function findsMutedKeyword(relations: Relations): Finder {
  const known = compiled.get(relations);
  if (known) return known;
  const made = compile(relations.mutedKeywords);
  compiled.set(relations, made);
  return made;
}

function compile(keywords: readonly string[]): Finder {
  const patterns = keywords
    .map((keyword) => keyword.normalize('NFKC').trim())
    .filter(Boolean)
    .map(patternOf);
  if (patterns.length === 0) return nothing;
  const pattern = new RegExp(patterns.join('|'), 'iu');
  return (text) => pattern.test(text.normalize('NFKC'));
}

function patternOf(keyword: string): string {
  const characters = [...keyword];
  const before = UNSPACED.test(characters[0]!) ? '' : `(?<!${WORD})`;
  const after = UNSPACED.test(characters.at(-1)!) ? '' : `(?!${WORD})`;
  const literal = keyword.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
  return `${before}${literal}${after}`;
}

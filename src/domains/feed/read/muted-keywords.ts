import { inForm } from '../../../platform/text.js';
import type { Relations } from '../graph/relations.js';
import type { Post } from '../types.js';

const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that put no spaces between words: a keyword of theirs may be anywhere in a text. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const needsBorder = (edge: string): boolean => WORD.test(edge) && !UNSPACED.test(edge);

type Finder = (text: string) => boolean;

/** By the reader's current relations, and post. */
const results = new WeakMap<Relations, WeakMap<Post, boolean>>();

/** As `findsMutedKeyword`, computed once for each: relations and posts that did not change are the same objects. */
export function holdsMutedKeyword(post: Post, relations: Relations): boolean {
  if (relations.mutedKeywords.length === 0) return false;
  const known = results.get(relations) ?? new WeakMap<Post, boolean>();
  results.set(relations, known);
  const before = known.get(post);
  if (before !== undefined) return before;
  const holds = findsMutedKeyword(relations)(post.content);
  known.set(post, holds);
  return holds;
}

/** Relations stay the same object until they change: a reader's keywords are compiled once. */
const compiled = new WeakMap<Relations, Finder>();

/**
 * Whether a text has one of the reader's muted keywords, in any case. Where a keyword begins or ends with a letter, digit,
 * mark or `_`, a word must begin or end there; a symbol or emoji is found next to anything.
 */
export function findsMutedKeyword(relations: Relations): Finder {
  const known = compiled.get(relations);
  if (known) return known;
  const made = compile(relations.mutedKeywords);
  compiled.set(relations, made);
  return made;
}

/** What was read of a text so far: the longest prefix of a keyword that it ends with. */
interface State {
  readonly next: Map<string, State>;
  /** The keyword that is whole here. */
  keyword: Keyword | null;
  /** The next shorter prefix of a keyword that this one ends with; null for the empty one. */
  fallback: State | null;
  /** The nearest of the fallbacks with a whole keyword. */
  shorter: State | null;
}
interface Keyword {
  readonly length: number;
  readonly startsAnywhere: boolean;
  readonly endsAnywhere: boolean;
}

/**
 * All keywords in one pass (Aho and Corasick): readers choose keywords and authors choose texts, and no pair of them may
 * take longer than another. A regular expression of them takes minutes where a text nearly has many of them.
 */
function compile(keywords: readonly string[]): Finder {
  const start = prefixes(keywords);
  link(start);
  if (start.next.size === 0) return () => false;
  return (text) => {
    const characters = [...fold(text)];
    const isWordAt = (index: number): boolean =>
      index >= 0 && index < characters.length && WORD.test(characters[index]!);
    let state = start;
    for (let i = 0; i < characters.length; i += 1) {
      state = step(state, characters[i]!, start);
      let found = state.keyword ? state : state.shorter;
      if (!found) continue;
      const isEnd = !isWordAt(i + 1);
      for (; found; found = found.shorter) {
        const { length, startsAnywhere, endsAnywhere } = found.keyword!;
        if ((isEnd || endsAnywhere) && (startsAnywhere || !isWordAt(i - length))) return true;
      }
    }
    return false;
  };
}

/** All but the characters for whole phrases: expanded by NFKC they would make a text eighteen times as long. */
const NO_PHRASES = /[^\ufdfa\ufdfb]+/g;

/**
 * Behind a symbol they choose between its pictures: with and without them it is the same symbol. As marks they would be a part
 * of a word.
 */
const PRESENTATION = /(?<![\p{L}\p{M}\p{N}_])[\ufe0e\ufe0f]+/gu;

const fold = (text: string): string =>
  text
    .replaceAll(NO_PHRASES, (part) => inForm(part, 'NFKC'))
    .replaceAll(PRESENTATION, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll(/\s+/g, ' ');

const newState = (): State => ({ next: new Map(), keyword: null, fallback: null, shorter: null });

function prefixes(keywords: readonly string[]): State {
  const start = newState();
  for (const keyword of keywords) {
    const characters = [...fold(keyword).trim()];
    let state = start;
    for (const character of characters) {
      const next = state.next.get(character) ?? newState();
      state.next.set(character, next);
      state = next;
    }
    if (state === start) continue;
    state.keyword = {
      length: characters.length,
      startsAnywhere: !needsBorder(characters[0]!),
      endsAnywhere: !needsBorder(characters.at(-1)!),
    };
  }
  return start;
}

/** Shorter prefixes are linked before longer ones. */
function link(start: State): void {
  const states = [start];
  for (const state of states) {
    for (const [character, next] of state.next) {
      next.fallback = state === start ? start : step(state.fallback!, character, start);
      next.shorter = next.fallback.keyword ? next.fallback : next.fallback.shorter;
      states.push(next);
    }
  }
}

function step(from: State, character: string, start: State): State {
  for (let state: State | null = from; state; state = state.fallback) {
    const next = state.next.get(character);
    if (next) return next;
  }
  return start;
}

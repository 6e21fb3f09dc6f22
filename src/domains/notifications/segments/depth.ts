import { type IToken, tokenMatcher } from 'chevrotain';
import { And, Close, Not, Open, Or } from './tokens.js';

/** So many groups and negations may lie within each other. */
export const MAX_DEPTH = 50;

/**
 * The token at which a filter becomes deeper than `MAX_DEPTH`: looked for before it is parsed, since the parser calls itself at each
 * level. `not (` is one level; the parentheses of a list or a call are none.
 */
export function tooDeepAt(tokens: readonly IToken[]): IToken | undefined {
  const groups: number[] = [];
  let depth = 0;
  let negations = 0;
  let opensGroup = true;
  for (const token of tokens) {
    if (tokenMatcher(token, Not)) {
      negations += 1;
    } else {
      if (tokenMatcher(token, Open)) {
        const levels = opensGroup ? Math.max(1, negations) : 0;
        groups.push(levels);
        depth += levels;
      } else if (tokenMatcher(token, Close)) {
        depth -= groups.pop() ?? 0;
      }
      negations = 0;
    }
    if (depth + negations > MAX_DEPTH) return token;
    opensGroup = [Not, And, Or, Open].some((type) => tokenMatcher(token, type));
  }
  return undefined;
}

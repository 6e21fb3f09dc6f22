import { EOF, type IToken, Lexer, tokenMatcher } from 'chevrotain';
import { MAX_DEPTH, tooDeepAt } from './depth.js';
import type { Filter, Position } from './filter.js';
import { predicatesOf } from './filter.js';
import { createGrammar, positionOf } from './grammar.js';
import { printFilter } from './print.js';
import { FilterFault } from './read-literal.js';
import { tokens } from './tokens.js';

/** In bytes of UTF-8: as it is given, and as it is written out. */
export const MAX_LENGTH = 8_192;
/** In one list. */
export const MAX_VALUES = 200;
/** Each is asked of every user who is looked at. */
export const MAX_QUESTIONS = 50;

const lexer = new Lexer(tokens, { positionTracking: 'onlyStart' });
let grammar: ReturnType<typeof createGrammar> | undefined;

/** Parses a filter; where it cannot, the first fault. */
export function parseFilter(text: string): Filter | FilterFault {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FilterFault) return error;
    throw error;
  }
}

function parse(text: string): Filter {
  checkLength(text);
  const { tokens: found, errors } = lexer.tokenize(text);
  const [unread] = errors;
  if (unread) throw unreadable(text, unread.offset, { line: unread.line!, column: unread.column! });
  const deep = tooDeepAt(found);
  if (deep) {
    throw new FilterFault(
      positionOf(deep),
      `groups and negations lie more than ${MAX_DEPTH} deep within each other`,
    );
  }
  const filter = parseTokens(text, found);
  checkQuestions(filter);
  checkLength(printFilter(filter));
  return filter;
}

const START: Position = { line: 1, column: 1 };

function checkLength(text: string): void {
  if (Buffer.byteLength(text) > MAX_LENGTH)
    throw new FilterFault(START, `a filter has at most ${MAX_LENGTH} bytes`);
}

function unreadable(text: string, offset: number, at: Position): FilterFault {
  const character = String.fromCodePoint(text.codePointAt(offset)!);
  if (character === '"')
    return new FilterFault(
      at,
      'the text that begins here does not end on its line, or has an escape that JSON does not have',
    );
  return new FilterFault(at, `unexpected ${JSON.stringify(character)}`);
}

function parseTokens(text: string, found: IToken[]): Filter {
  grammar ??= createGrammar();
  grammar.input = found;
  const filter = grammar.filter();
  const [error] = grammar.errors;
  if (!error) return filter;
  const { token } = error;
  // The end has no place of its own.
  if (tokenMatcher(token, EOF)) {
    throw new FilterFault(endOf(text), `the filter ends early: expected ${error.message}`);
  }
  throw new FilterFault(positionOf(token), `expected ${error.message}, found ${shortened(token.image)}`);
}

function endOf(text: string): Position {
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

const shortened = (image: string): string => (image.length > 40 ? `${image.slice(0, 40)}…` : image);

function checkQuestions(filter: Filter): void {
  const questions = predicatesOf(filter);
  const tooMany = questions[MAX_QUESTIONS];
  if (tooMany) throw new FilterFault(tooMany.at, `a filter has at most ${MAX_QUESTIONS} questions`);
  for (const predicate of questions) {
    if (predicate.kind !== 'in') continue;
    const excess = predicate.values[MAX_VALUES];
    if (excess) throw new FilterFault(excess.at, `a list has at most ${MAX_VALUES} values`);
  }
}

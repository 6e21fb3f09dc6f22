import { createToken, Lexer, type TokenType } from 'chevrotain';

/** A name, and first of all what keywords are tried against: `android` does not begin with `and`. */
export const Name = createToken({ name: 'Name', label: 'an attribute', pattern: /[A-Za-z_][A-Za-z0-9_]*/ });

const keyword = (word: string): TokenType =>
  createToken({
    name: `Keyword${word}`,
    label: `"${word}"`,
    pattern: new RegExp(`${word}|${word.toUpperCase()}`),
    longer_alt: Name,
  });

const sign = (name: string, text: string, pattern: string | RegExp = text): TokenType =>
  createToken({ name, label: `"${text}"`, pattern });

export const And = keyword('and');
export const Or = keyword('or');
export const Not = keyword('not');
export const In = keyword('in');
export const Contains = keyword('contains');
export const Exists = keyword('exists');
export const True = keyword('true');
export const False = keyword('false');
export const Now = keyword('now');

export const Open = sign('Open', '(');
export const Close = sign('Close', ')');
export const Comma = sign('Comma', ',');
export const Plus = sign('Plus', '+');
export const Minus = sign('Minus', '-');
export const ComparisonSign = createToken({
  name: 'ComparisonSign',
  label: '= != < <= > >=',
  pattern: /!=|<=|>=|=|<|>/,
});

/** As in JSON, which takes no control characters either: see `readText`. */
export const Text = createToken({
  name: 'Text',
  label: 'a text in double quotes',
  pattern: /"(?:[^"\\\n\r]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/,
  line_breaks: false,
});
/** Checked when it is parsed: the calendar has no 30th of February. */
export const Instant = createToken({
  name: 'Instant',
  label: 'a date',
  pattern: /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?/,
});
export const Duration = createToken({
  name: 'Duration',
  label: 'a duration like 7d, in s, m, h, d or w',
  pattern: /\d{1,6}[smhdw](?![A-Za-z0-9_])/,
});
/** Without its sign, which is a token of its own: `now()-7d`. */
export const NumberToken = createToken({
  name: 'Number',
  label: 'a number',
  pattern: /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/,
});

const Blank = createToken({ name: 'Blank', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });

/** In the order in which they are tried. */
export const tokens: TokenType[] = [
  Blank,
  ...[And, Or, Not, In, Contains, Exists, True, False, Now],
  Name,
  Text,
  ...[Instant, Duration, NumberToken],
  ...[Open, Close, Comma, Plus, Minus, ComparisonSign],
];

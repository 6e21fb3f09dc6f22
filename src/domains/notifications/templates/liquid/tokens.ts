import { createRequire } from 'node:module';
import type * as Library from 'liquidjs';

let loaded: typeof Library | undefined;

/** With the first Liquid template: a process that has none stays 9 MB smaller. */
function library(): typeof Library {
  loaded ??= createRequire(import.meta.url)('liquidjs') as typeof Library;
  return loaded;
}

/** Reads a text, or a part of it, from one place to another. */
export const openTokenizer = (text: string, range?: [from: number, to: number]): Library.Tokenizer =>
  new (library().Tokenizer)(text, undefined, undefined, range);

type Kinds = typeof Library.TypeGuards;
const kind = <Name extends keyof Kinds>(name: Name): Kinds[Name] =>
  ((token: unknown) => library().TypeGuards[name](token)) as Kinds[Name];

export const isHTMLToken = kind('isHTMLToken');
export const isLiteralToken = kind('isLiteralToken');
export const isNumberToken = kind('isNumberToken');
export const isOperatorToken = kind('isOperatorToken');
export const isOutputToken = kind('isOutputToken');
export const isPropertyAccessToken = kind('isPropertyAccessToken');
export const isQuotedToken = kind('isQuotedToken');
export const isRangeToken = kind('isRangeToken');
export const isTagToken = kind('isTagToken');
export const isWordToken = kind('isWordToken');

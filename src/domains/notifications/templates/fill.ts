import { isOpenable } from '../text.js';

/** Characters of one field, before and after its placeholders are filled. */
export const MAX_TEXT = 100_000;

/** Why a text cannot be sent. */
export type Unfit = 'TEXT_TOO_LONG' | 'URL_UNSAFE';

export type Filled =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unfit: Unfit };

/** The value of a variable; nothing where it has none. */
export type LookUp = (name: string) => string;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of any number of lines. */
export const fillText = (text: string, lookUp: LookUp): Filled =>
  fill(text, lookUp, (name) => escapeText(lookUp(name)));

/** A title or subject: whatever would break its line, or a header's, becomes a blank. */
export function fillLine(text: string, lookUp: LookUp): Filled {
  const filled = fillText(text, lookUp);
  return filled.ok ? { ok: true, text: filled.text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ') } : filled;
}

/** A link: it must be one that may be opened, once it is filled. */
export function fillLink(text: string, lookUp: LookUp): Filled {
  const filled = fillText(text, lookUp);
  return filled.ok && !isOpenable(filled.text) ? { ok: false, unfit: 'URL_UNSAFE' } : filled;
}

/** HTML: within a tag a quote would end the attribute, and a value may be a whole link. */
export function fillHtml(html: string, lookUp: LookUp): Filled {
  let isSafe = true;
  const filled = fill(html, lookUp, (name, offset) => {
    const value = lookUp(name);
    if (!isInsideTag(html, offset)) return escapeText(value);
    if (startsLink(html, offset) && !isOpenable(value)) isSafe = false;
    return escapeAttribute(value);
  });
  return isSafe ? filled : { ok: false, unfit: 'URL_UNSAFE' };
}

/** The lengths are added up before anything is put together, so that a text too long costs no memory. */
function fill(text: string, lookUp: LookUp, write: (name: string, offset: number) => string): Filled {
  let length = text.length;
  for (const [placeholder, name] of text.matchAll(PLACEHOLDER)) {
    length += lookUp(name!).length - placeholder.length;
  }
  if (length > MAX_TEXT) return { ok: false, unfit: 'TEXT_TOO_LONG' };
  const filled = text.replace(PLACEHOLDER, (_, name: string, offset: number) => write(name, offset));
  return filled.length > MAX_TEXT ? { ok: false, unfit: 'TEXT_TOO_LONG' } : { ok: true, text: filled };
}

const escapeText = (value: string): string => value.replace(/[&<>]/g, (character) => ENTITIES[character]!);

/** Quotes are escaped besides what the document names. */
const escapeAttribute = (value: string): string =>
  value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

const isInsideTag = (html: string, offset: number): boolean =>
  offset > 0 && html.lastIndexOf('<', offset - 1) > html.lastIndexOf('>', offset - 1);

/** Longer than any attribute's name, its equals sign and its quote. */
const LINK_REACH = 40;
const startsLink = (html: string, offset: number): boolean =>
  /(?:href|src|action|background|poster)\s*=\s*["']?\s*$/i.test(
    html.slice(Math.max(0, offset - LINK_REACH), offset),
  );

import { isOpenable } from '../text.js';
import { escapeAll, escapeAttribute, escapeText } from './escape.js';
import { type HtmlPlace, type HtmlPlaces, readHtmlPlaces } from './html-places.js';
import { type Pieces, splitAtPlaceholders, surroundings } from './placeholders.js';
import { hostKeeper, urlWriter, type WriteUrl } from './url-values.js';

/** Characters of one field, before and after its placeholders are filled. */
export const MAX_TEXT = 100_000;

/** Why a text cannot be sent. */
export type Unfit = 'TEXT_TOO_LONG' | 'URL_UNSAFE' | 'HTML_UNSAFE' | 'TEMPLATE_SYNTAX' | 'TEMPLATE_LIMIT';

export type Filled =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly unfit: Unfit };

/** Fills one field's placeholders with the values of all of its template's variables. */
export type Fill = (values: readonly string[]) => Filled;

/** The place of a variable among a template's values. */
export type PlaceOf = (name: string) => number;

/** Plain text of any number of lines: nothing has to be escaped there. */
export function compileText(text: string, placeOf: PlaceOf): Fill {
  const { literals, names } = splitAtPlaceholders(text);
  const slots = names.map((name): Slot => ({ place: placeOf(name), write: asIs }));
  return (values) => join(literals, slots, values);
}
const asIs = (value: string): string => value;

/** A title or subject: whatever would break its line, or a header's, becomes a blank. */
export function compileLine(text: string, placeOf: PlaceOf): Fill {
  const fill = compileText(text, placeOf);
  return (values) => onOneLine(fill(values));
}

/** A text in which whatever would break its line is a blank. */
export function onOneLine(filled: Filled): Filled {
  if (!filled.ok || !BREAKS.test(filled.text)) return filled;
  return { ok: true, text: filled.text.replaceAll(ALL_BREAKS, ' ') };
}
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const ALL_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A link: values are percent-encoded in it, and it must be one that may be opened, once it is filled. */
export function compileLink(text: string, placeOf: PlaceOf): Fill {
  return linkFiller(splitAtPlaceholders(text), placeOf);
}

/** Fills a link that was taken apart. */
export function linkFiller(pieces: Pieces, placeOf: PlaceOf): Fill {
  if (pieces.names.length > 0) return fillLink(pieces, placeOf);
  const text = pieces.literals[0]!;
  const filled: Filled = mayOpen(text) ? { ok: true, text } : { ok: false, unfit: 'URL_UNSAFE' };
  return () => filled;
}

function fillLink(pieces: Pieces, placeOf: PlaceOf): Fill {
  const around = surroundings(pieces);
  const slots = pieces.names.map((name, n): Slot => {
    const { before, next } = around[n]!;
    return { place: placeOf(name), write: urlWriter(before, next) };
  });
  const keepsHost = hostKeeper(pieces);
  return (values) => {
    const filled = join(pieces.literals, slots, values);
    return filled.ok && !(mayOpen(filled.text) && keepsHost(filled.text))
      ? { ok: false, unfit: 'URL_UNSAFE' }
      : filled;
  };
}

/** HTML: each value is written so that it stays where it is put. */
export function compileHtml(html: string, placeOf: PlaceOf): Fill {
  const { places, links, faults } = readHtmlPlaces(html);
  if (faults.length > 0) return () => ({ ok: false, unfit: 'HTML_UNSAFE' });
  const { literals, names } = splitAtPlaceholders(html);
  const slots = names.map((name, n): Slot => {
    const write = WRITE[places[n]!.within];
    const encode = encoderOf(places[n]!);
    const writeEncoded = (value: string): string | null => {
      const encoded = encode(value);
      return encoded === null ? null : write(encoded);
    };
    return { place: placeOf(name), write: writeEncoded };
  });
  const styles = slots.flatMap(({ place }, n) =>
    places[n]!.isStyle ? [{ place, encode: encoderOf(places[n]!) }] : [],
  );
  // As a reader would open them, with nothing escaped.
  const targets = links.map((link) => fillLink(splitAtPlaceholders(link), placeOf));
  return (values) => {
    for (const { place, encode } of styles) {
      if (!isStyleValue(encode(values[place]!) ?? '')) return { ok: false, unfit: 'HTML_UNSAFE' };
    }
    for (const target of targets) {
      const filled = target(values);
      if (!filled.ok) return filled;
    }
    return join(literals, slots, values);
  };
}
const encoderOf = ({ urlBefore, next }: HtmlPlace): WriteUrl =>
  urlBefore === null ? asIs : urlWriter(urlBefore, next);
const WRITE = {
  text: escapeText,
  attribute: escapeAttribute,
  comment: escapeAll,
} as const satisfies Record<HtmlPlace['within'], (value: string) => string>;

/** Why HTML cannot be a template, and its links that must not be opened whatever the values are. */
export function findHtmlFaults(html: string): {
  readonly faults: HtmlPlaces['faults'];
  readonly badLinks: readonly string[];
} {
  const { faults, links } = readHtmlPlaces(html);
  return { faults, badLinks: links.filter((link) => !isOpenable(splitAtPlaceholders(link).literals[0]!)) };
}

interface Slot {
  readonly place: number;
  /** Null where the value must not stand there. */
  readonly write: WriteUrl;
}

/** Stops as soon as it is too long: what is thrown away must not cost memory. */
function join(literals: readonly string[], slots: readonly Slot[], values: readonly string[]): Filled {
  let text = literals[0]!;
  for (let n = 0; n < slots.length; n += 1) {
    const { place, write } = slots[n]!;
    const written = write(values[place]!);
    if (written === null) return { ok: false, unfit: 'URL_UNSAFE' };
    text += written + literals[n + 1]!;
    if (text.length > MAX_TEXT) return { ok: false, unfit: 'TEXT_TOO_LONG' };
  }
  return { ok: true, text };
}

/** What most links are needs no second look. */
const mayOpen = (link: string): boolean => /^https?:\/\//.test(link) || isOpenable(link);

/** A style's value that neither ends its declaration nor calls or loads anything. */
export const isStyleValue = (value: string): boolean =>
  !/[;{}()\\"'`<>*\p{Cc}]/u.test(value) && isOpenable(value);

import { type HtmlAttribute, type HtmlToken, tokenizeHtml } from './html-tokens.js';
import { findPlaceholders, type Placeholder } from './placeholders.js';

/** Where a placeholder stands in HTML. */
export interface HtmlPlace {
  /** Between tags, in a quoted attribute, or in a comment, which some mail programs read as HTML. */
  readonly within: 'text' | 'attribute' | 'comment';
  /** In a `style` attribute. */
  readonly isStyle: boolean;
  /** Where it is part of a link: what the template has of that link before it, other placeholders left out; else null. */
  readonly urlBefore: string | null;
  /** The sign after its row of placeholders. */
  readonly next: string;
  /**
   * Which piece of the HTML it stands in: 0 is all text between tags, and each attribute, and each text that holds no tags, has a
   * number of its own. Within a comment the numbers are the comment's.
   */
  readonly region: number;
}

/** A quoted attribute with placeholders, and where its value stands in the source: `[start, end)`, without the quotes. */
export interface FilledAttribute {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** As a reader of the HTML gets it, placeholders and all: character references are resolved. */
  readonly value: string;
}

/** What a template's HTML is like. */
export interface HtmlPlaces {
  /** Of each placeholder, in order. */
  readonly places: readonly HtmlPlace[];
  /** Those that have placeholders, in order. */
  readonly attributes: readonly FilledAttribute[];
  /** Attributes with placeholders that name what is opened or loaded; character references are resolved. */
  readonly links: readonly string[];
  /** Why values could change more than text and attributes: a sentence each. Empty where they cannot. */
  readonly faults: readonly string[];
}

/** Attributes that name what is opened or loaded. */
export const LINKS =
  /^(href|src|action|formaction|background|poster|data|cite|longdesc|manifest|ping|xlink:href)$/;
/** Their content is no HTML, so that nothing would be escaped there. */
const RAW = /^(script|style|iframe|xmp|noembed|noframes|noscript|plaintext)$/;
/** Their content is text alone. */
const TEXT_ONLY = /^(title|textarea)$/;

/** Between an attribute's name and its value. Other blanks than these belong to the value. */
const OPENING_QUOTE = /^[\t\n\f\r ]*=[\t\n\f\r ]*["']/;

const TEXT: HtmlPlace = { within: 'text', isStyle: false, urlBefore: null, next: '', region: 0 };
/** A list of links, each with its size. */
const LINK_LISTS = /^(srcset|imagesrcset)$/;
/** The start of a link in a style. */
const OPENING_URL = /url\(\s*(?:["']|&quot;|&#39;|&apos;)?/i;

/**
 * Finds out where placeholders stand. HTML that means one thing or another, by what is around it or by who reads it, is
 * a fault: what is accepted here every reader takes apart at the same places, whatever the values are.
 */
export function readHtmlPlaces(html: string): HtmlPlaces {
  return readPlaces(html, false);
}

function readPlaces(html: string, isComment: boolean): HtmlPlaces {
  const placeholders = findPlaceholders(html);
  if (placeholders.length === 0) return { places: [], attributes: [], links: [], faults: [] };
  const reading = new Reading(html, placeholders, isComment);
  for (const token of tokenizeHtml(html)) reading.read(token);
  return reading.result();
}

/** One pass through the tokens of a template. */
class Reading {
  private readonly places = new Map<Placeholder, HtmlPlace>();
  private readonly attributes: FilledAttribute[] = [];
  private readonly links: string[] = [];
  private readonly faults = new Set<string>();
  /** The element whose content is not read as HTML, while within it. */
  private opaque: string | null = null;

  constructor(
    private readonly html: string,
    private readonly placeholders: readonly Placeholder[],
    private readonly isComment: boolean,
  ) {
    if (html.includes('<![CDATA[')) this.faults.add('A text with placeholders may have no CDATA section');
  }

  read(token: HtmlToken): void {
    if (this.opaque !== null) this.readOpaque(token, this.opaque);
    else if (token.kind === 'text') this.readText(token);
    else if (token.kind === 'comment') this.readComment(token);
    else if (token.kind === 'startTag') {
      for (const attribute of token.attributes) this.readAttribute(attribute);
      if (RAW.test(token.tagName) || TEXT_ONLY.test(token.tagName)) this.opaque = token.tagName;
    }
  }

  result(): HtmlPlaces {
    for (const one of this.placeholders) {
      if (!this.places.has(one))
        this.faults.add(`${one.text} may stand in text and in quoted attributes only`);
      // A value could complete it to any character.
      if (/&#?\w*$/.test(this.html.slice(Math.max(0, one.row.start - 40), one.row.start))) {
        this.faults.add(`Write &amp; for the & before ${one.text}`);
      }
    }
    return {
      places: this.placeholders.map((one) => this.places.get(one) ?? TEXT),
      attributes: this.attributes,
      links: this.links,
      faults: [...this.faults],
    };
  }

  /** Whether tags are looked for in there depends on what is around: where there are none, both ways are one. */
  private readOpaque(token: HtmlToken, tagName: string): void {
    if (token.kind === 'endTag' && token.tagName === tagName) this.opaque = null;
    else if (this.html.slice(token.start, token.end).includes('<')) {
      this.faults.add(`The content of ${tagName} may have no < where a text has placeholders`);
    } else if (TEXT_ONLY.test(tagName)) this.put({ ...TEXT, region: token.start }, token.start, token.end);
  }

  private readText({ start, end }: { start: number; end: number }): void {
    const [found] = this.put(TEXT, start, end);
    // A value after it could make a tag of it.
    if (found && this.html.slice(start, end).includes('<')) {
      this.faults.add(`Write &lt; for the < in the text around ${found.text}`);
    }
  }

  private readAttribute({ name, value, start, end }: HtmlAttribute): void {
    const afterName = start + name.length;
    const opening = OPENING_QUOTE.exec(this.html.slice(afterName, end))?.[0];
    if (opening === undefined) return;
    const from = afterName + opening.length;
    const all = this.between(from, end - 1);
    let before = '';
    let read = from;
    for (const one of all) {
      before += this.html.slice(read, one.start);
      read = one.end;
      const next = this.html[one.row.end] ?? '';
      const urlBefore = linkBefore(name, before);
      this.places.set(one, {
        within: 'attribute',
        isStyle: name === 'style',
        urlBefore,
        next,
        region: start,
      });
    }
    const [found] = all;
    if (!found) return;
    this.attributes.push({ name, start: from, end: end - 1, value });
    if (name.startsWith('on') || name === 'srcdoc') this.faults.add(`${found.text} may not stand in ${name}`);
    if (LINKS.test(name)) this.links.push(value);
  }

  /** What is meant for one mail program alone is HTML in a comment. */
  private readComment({ start, end }: { start: number; end: number }): void {
    const found = this.between(start, end);
    if (found.length === 0 || this.isComment || !this.html.startsWith('<!--', start)) return;
    const from = start + '<!--'.length;
    const inner = readPlaces(this.html.slice(from, end), true);
    this.links.push(...inner.links);
    for (const one of inner.attributes) {
      this.attributes.push({ ...one, start: from + one.start, end: from + one.end });
    }
    for (const fault of inner.faults) this.faults.add(fault);
    found.forEach((one, index) => {
      this.places.set(one, { ...inner.places[index]!, within: 'comment' });
      const { row } = one;
      // Where there is no value, what is left and right of it must not end the comment.
      if (/[-!]/.test(this.html[row.start - 1]!) && /[-!>]/.test(this.html[row.end] ?? '')) {
        this.faults.add(`${one.text} may not stand between the dashes of a comment`);
      }
    });
  }

  private put(place: HtmlPlace, start: number, end: number): readonly Placeholder[] {
    const found = this.between(start, end);
    for (const one of found) this.places.set(one, place);
    return found;
  }

  /** The placeholders that lie wholly in `[start, end)`. */
  private between(start: number, end: number): readonly Placeholder[] {
    let from = 0;
    for (let to = this.placeholders.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (this.placeholders[middle]!.start < start) from = middle + 1;
      else to = middle;
    }
    let to = from;
    while (to < this.placeholders.length && this.placeholders[to]!.end <= end) to += 1;
    return this.placeholders.slice(from, to);
  }
}

/** Whether an attribute is a link, or may have links in it. */
export const isLinked = (name: string): boolean =>
  LINKS.test(name) || LINK_LISTS.test(name) || name === 'style';

/** What of a link an attribute has so far; null where it is in none. */
export function linkBefore(attribute: string, before: string): string | null {
  if (LINKS.test(attribute)) return before;
  if (LINK_LISTS.test(attribute)) return before.split(/[\s,]/).at(-1)!;
  if (attribute !== 'style') return null;
  const unclosed = before.slice(before.lastIndexOf(')') + 1);
  const opening = OPENING_URL.exec(unclosed);
  return opening && unclosed.slice(opening.index + opening[0].length);
}

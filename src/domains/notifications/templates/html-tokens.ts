import { RewritingStream } from 'parse5-html-rewriting-stream';

/** An attribute of a start tag, and where it stands in the source: `[start, end)`, name, quotes and all. */
export interface HtmlAttribute {
  readonly name: string;
  /** As a reader of the HTML gets it: character references are resolved. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A piece of HTML and where it stands in the source: `[start, end)`. */
export type HtmlToken =
  | { readonly kind: 'text' | 'comment' | 'doctype'; readonly start: number; readonly end: number }
  | { readonly kind: 'endTag'; readonly tagName: string; readonly start: number; readonly end: number }
  | {
      readonly kind: 'startTag';
      readonly tagName: string;
      readonly attributes: readonly HtmlAttribute[];
      readonly start: number;
      readonly end: number;
    };

interface Place {
  readonly startOffset: number;
  readonly endOffset: number;
}
/** As a rewriting parser gives it, though its types leave some of it out. */
interface Located {
  readonly sourceCodeLocation?: (Place & { readonly attrs?: Readonly<Record<string, Place>> }) | null;
}

/** Reads a text at once: as a stream it would give the last tokens some turns later. */
class WholeText extends RewritingStream {
  parse(html: string): void {
    this.tokenizer.write(html, true);
  }
}

/** The tokens of an HTML text in order, as browsers read it. A tag that does not end is none. */
export function tokenizeHtml(html: string): readonly HtmlToken[] {
  const tokens: HtmlToken[] = [];
  const place = ({ sourceCodeLocation }: Located) => ({
    start: sourceCodeLocation!.startOffset,
    end: sourceCodeLocation!.endOffset,
  });
  const parser = new WholeText();
  parser.on('text', (text) => tokens.push({ kind: 'text', ...place(text) }));
  parser.on('comment', (comment) => tokens.push({ kind: 'comment', ...place(comment) }));
  parser.on('doctype', (doctype) => tokens.push({ kind: 'doctype', ...place(doctype) }));
  parser.on('endTag', (tag) => tokens.push({ kind: 'endTag', tagName: tag.tagName, ...place(tag) }));
  parser.on('startTag', (tag) => {
    const places = Object.entries((tag as Located).sourceCodeLocation?.attrs ?? {});
    const values = new Map(tag.attrs.map((one) => [nameOf(one), one.value]));
    const attributes = places.map(([name, { startOffset, endOffset }]) => ({
      name,
      value: values.get(name) ?? '',
      start: startOffset,
      end: endOffset,
    }));
    tokens.push({ kind: 'startTag', tagName: tag.tagName, attributes, ...place(tag) });
  });
  parser.parse(html);
  return tokens;
}

/** Within SVG and MathML the parser takes names apart and changes their case. */
const nameOf = ({ prefix, name }: { prefix?: string | undefined; name: string }): string =>
  (prefix ? `${prefix}:${name}` : name).toLowerCase();

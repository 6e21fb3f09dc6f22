import { RewritingStream } from 'parse5-html-rewriting-stream';

/** What tracking does to a mail's HTML. */
export interface Rewriting {
  /** What stands in a link's place; null leaves it as it is. */
  readonly link: (href: string) => string | null;
  /** Goes before `</body>`, or to the end. */
  readonly pixelUrl: string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The same HTML with other links and a pixel: but for them not a character changes. What only looks like a link, in
 * comments, scripts and styles, is none.
 */
export function rewriteHtml(html: string, { link, pixelUrl }: Rewriting): string {
  const changes: Change[] = [];
  let end = html.length;
  // Only its positions are used: what it writes comes later than a caller can wait, and is thrown away.
  const reader = new RewritingStream();
  reader.on('startTag', ({ tagName, attrs, sourceCodeLocation }) => {
    const href = tagName === 'a' || tagName === 'area' ? attrs.find(isHref) : undefined;
    const place = placeOfHref(sourceCodeLocation);
    const instead = href && place ? link(href.value) : null;
    if (place && instead !== null) {
      changes.push({ start: place.startOffset, end: place.endOffset, text: `href="${escaped(instead)}"` });
    }
  });
  reader.on('endTag', ({ tagName, sourceCodeLocation }) => {
    if (tagName === 'body' && sourceCodeLocation) end = sourceCodeLocation.startOffset;
  });
  reader.write(html);
  reader.destroy();
  changes.push({ start: end, end, text: pixel(pixelUrl) });
  return splice(html, changes);
}

interface Place {
  readonly startOffset: number;
  readonly endOffset: number;
}

/** A start tag's location has its attributes' too, which its type does not say. */
const placeOfHref = (
  tag: (Place & { attrs?: Record<string, Place> }) | null | undefined,
): Place | undefined => tag?.attrs?.href;

const isHref = ({ name, prefix }: { name: string; prefix?: string }): boolean => name === 'href' && !prefix;

/** Hidden by its size: what is not displayed is not fetched. */
const pixel = (url: string): string =>
  `<img src="${escaped(url)}" width="1" height="1" alt="" style="border:0;width:1px;height:1px">`;

const escaped = (value: string): string => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

function splice(text: string, changes: readonly Change[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const change of changes.toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, change.start), change.text);
    from = change.end;
  }
  return parts.join('') + text.slice(from);
}

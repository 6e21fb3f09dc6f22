import { tokenizeHtml } from '../templates/html-tokens.js';

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
  for (const token of tokenizeHtml(html)) {
    if (token.kind === 'endTag' && token.tagName === 'body') end = token.start;
    if (token.kind !== 'startTag' || !/^(a|area)$/.test(token.tagName)) continue;
    const href = token.attributes.find(({ name }) => name === 'href');
    const instead = href ? link(href.value) : null;
    if (href && instead !== null) {
      changes.push({ start: href.start, end: href.end, text: `href="${escaped(instead)}"` });
    }
  }
  changes.push({ start: end, end, text: pixel(pixelUrl) });
  return splice(html, changes);
}

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

import { linksIn } from '../../../../src/domains/feed/links/link-in.js';
import { mentionsAt } from '../../../../src/domains/feed/posts/mentions.js';

export interface TextPart {
  /** Where it begins. */
  readonly index: number;
  readonly text: string;
  /** Of a link. */
  readonly href?: string;
  /** Of a mention. */
  readonly userId?: string;
}

/** A text in its parts: links that get a preview, `@user` for whoever is notified, and what is between them. */
export function partsOf(text: string): TextPart[] {
  const found: TextPart[] = [
    ...Array.from(linksIn(text), ({ index, text: link, url }) => ({ index, text: link, href: url.href })),
    ...Array.from(mentionsAt(text), ({ index, userId }) => ({ index, text: `@${userId}`, userId })),
  ];
  const parts: TextPart[] = [];
  let end = 0;
  for (const part of found.sort((a, b) => a.index - b.index)) {
    // A mention in a link, or a link in a mention, has no place of its own.
    if (part.index < end) continue;
    if (part.index > end) parts.push({ index: end, text: text.slice(end, part.index) });
    parts.push(part);
    end = part.index + part.text.length;
  }
  if (end < text.length) parts.push({ index: end, text: text.slice(end) });
  return parts;
}

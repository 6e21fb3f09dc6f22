const LINK = /\bhttps?:\/\/[^\s<>"']+/giu;
/** In characters. */
const MAX_URL = 2_048;

/** A link, and where it is in its text. */
export interface Link {
  readonly index: number;
  /** As it was written. */
  readonly text: string;
  readonly url: URL;
}

/**
 * The http and https links of a text. Punctuation at the end of one belongs to the sentence, a bracket only where it opens
 * outside the link. A link with a user or a password does not count.
 */
export function* linksIn(text: string): Generator<Link> {
  for (const { index, 0: found } of text.matchAll(LINK)) {
    const link = withoutPunctuation(found);
    // Parsing a host that is not ASCII takes quadratic time.
    const url = link.length <= MAX_URL ? URL.parse(link) : null;
    if (url && url.username === '' && url.password === '' && url.href.length <= MAX_URL)
      yield { index, text: link, url };
  }
}

/** The first link of a text, as a normalized URL; null where there is none. */
export function firstLinkIn(text: string): string | null {
  for (const { url } of linksIn(text)) return url.href;
  return null;
}

function withoutPunctuation(link: string): string {
  let unopened = countOf(')', link) - countOf('(', link);
  let end = link.length;
  for (; end > 0; end -= 1) {
    const last = link[end - 1]!;
    const isClosing = last === ')' && unopened > 0;
    if (!isClosing && !'.,;:!?…»”’]}*_'.includes(last)) break;
    if (isClosing) unopened -= 1;
  }
  return link.slice(0, end);
}

const countOf = (character: string, text: string): number => text.split(character).length - 1;

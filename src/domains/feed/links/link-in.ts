const LINK = /\bhttps?:\/\/[^\s<>"']+/giu;
/** In characters. */
const MAX_URL = 2_048;

/**
 * The first http or https link of a text, as a normalized URL; null where there is none. Punctuation at its end belongs to
 * the sentence, a bracket only where it opens outside the link. A link with a user or a password does not count.
 */
export function firstLinkIn(text: string): string | null {
  for (const [found] of text.matchAll(LINK)) {
    const link = withoutPunctuation(found);
    // Parsing a host that is not ASCII takes quadratic time.
    const url = link.length <= MAX_URL ? URL.parse(link) : null;
    if (url && url.username === '' && url.password === '' && url.href.length <= MAX_URL) return url.href;
  }
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

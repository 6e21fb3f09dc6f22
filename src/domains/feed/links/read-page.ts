import { RewritingStream } from 'parse5-html-rewriting-stream';
import { mayBePublic } from '../../../platform/network/public-address.js';
import { toStoredText } from '../../../platform/text.js';
import type { FetchedPage } from './fetch-page.js';

/** In characters. */
const MAX_TITLE = 300;
/** The part that is read for a title, in UTF-16 code units: NFC takes quadratic time for a run of combining marks. */
const MAX_RAW_TITLE = 2_000;
const MAX_URL = 2_048;
/** Control characters, and those that reverse the direction of a text. */
const MISLEADING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
/** Invisible characters; joiners and emoji selectors stay after a letter or an emoji, which they change. */
const INVISIBLE = /(?!(?<=[\p{L}\p{M}\p{Emoji}])(?:\u200c|\u200d|\ufe0f))\p{Default_Ignorable_Code_Point}/gu;

/** A page's title and picture. */
export interface PageSummary {
  readonly title: string | null;
  /** An https URL, whose host is not of a private network by its form. */
  readonly imageUrl: string | null;
}

/** These begin the body, also without a body tag. Nested, the latter two take the parser quadratic time. */
const BODY = new Set(['body', 'svg', 'math']);

/**
 * The title and the picture that a page's head names: of Open Graph, else of Twitter cards, else the title alone.
 *
 * @param allowedHosts `host:port` whose pictures may be wherever they are
 */
export function readPage({ html, url }: FetchedPage, allowedHosts: ReadonlySet<string>): PageSummary {
  const named = new Map<string, string>();
  let title = '';
  let isTitle = false;
  // Its output comes later than a caller can wait, and is discarded.
  const reader = new RewritingStream();
  reader.on('startTag', ({ tagName, attrs }) => {
    if (BODY.has(tagName)) return reader.stop();
    isTitle = tagName === 'title' && title === '';
    if (tagName !== 'meta') return;
    const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value;
    const name = (attribute('property') ?? attribute('name'))?.toLowerCase();
    const content = attribute('content');
    if (name && content && !named.has(name)) named.set(name, content);
  });
  reader.on('endTag', ({ tagName }) => {
    isTitle = false;
    if (tagName === 'head') reader.stop();
  });
  reader.on('text', ({ text }) => {
    if (isTitle) title += text.slice(0, MAX_RAW_TITLE);
  });
  reader.write(html);
  reader.destroy();
  const image = named.get('og:image') ?? named.get('og:image:url') ?? named.get('twitter:image');
  return {
    title: titleOf(named.get('og:title') ?? named.get('twitter:title') ?? title),
    imageUrl: image === undefined ? null : imageAt(image, url, allowedHosts),
  };
}

function titleOf(raw: string): string | null {
  const text = raw.slice(0, MAX_RAW_TITLE).toWellFormed().replace(MISLEADING, ' ').replace(INVISIBLE, '');
  const line = text.replace(/\s+/g, ' ').trim();
  const title = toStoredText(line.slice(0, 2 * MAX_TITLE).toWellFormed(), MAX_TITLE);
  return title === '' ? null : [...title].slice(0, MAX_TITLE).join('');
}

/** Readers' clients load it from their own networks: a page must not name a host of those. */
function imageAt(text: string, base: URL, allowedHosts: ReadonlySet<string>): string | null {
  if (text.length > MAX_URL) return null;
  const url = URL.parse(text, base.href);
  if (url?.username !== '' || url.password !== '' || url.href.length > MAX_URL) return null;
  const isAllowed = url.protocol === 'http:' && allowedHosts.has(url.host);
  const isPublic = url.protocol === 'https:' && url.port === '' && mayBePublic(url);
  return isAllowed || isPublic ? url.href : null;
}

import type { Pieces } from './placeholders.js';

/** Writes a value into a link; null where it must not stand there. */
export type WriteUrl = (value: string) => string | null;

/**
 * How a value is written into a link (RFC 3986), by what the template has around it there: percent-encoded, so that it adds
 * no path, query or host. At the link's start, where the template has said nothing yet of where it leads, the value is the
 * link itself, or its start, and stays as it is: the caller that fills the link asks whether it may be opened. Right behind a whole
 * host it is the rest of the link, and begins with `/`, `?` or `#`: nothing else leaves the host as it is.
 *
 * @param before the link's text up to the value, without other placeholders
 * @param next the first sign after the value that is no placeholder's; empty at the end
 */
export function urlWriter(before: string, next: string): WriteUrl {
  const link = withoutBreaks(before);
  if (START.test(link)) return asIs;
  const web = WEB.exec(link)?.[0];
  if (web !== undefined && !HOST_END.test(link.slice(web.length))) {
    const isWhole = !/[@:]$/.test(link) && link.length > web.length && !/[\w.@~%-]|\P{ASCII}/u.test(next);
    return isWhole ? (value) => restOfLink(value) : keeping(':');
  }
  if (OPAQUE.test(link)) return keeping('@+:,;');
  if (APP_HOST.test(link)) {
    const write = keeping(':');
    return (value) => restOfLink(value) ?? write(value);
  }
  const write = keeping('');
  return DOTS.test(link) ? (value) => (/^\.+$/.test(value) ? null : write(value)) : write;
}

/** Whether a filled link leads to the host that its template names. Always, where either is no link of the web. */
export function hostKeeper({ literals }: Pieces): (link: string) => boolean {
  const expected = expectedHost(literals);
  return (link) => {
    if (!WEB.test(withoutBreaks(link))) return true;
    const { hostname } = URL.parse(link, /^\s*h/i.test(link) ? undefined : ANYWHERE) ?? {};
    return hostname !== undefined && expected(hostname);
  };
}

type Expected = (hostname: string) => boolean;

function expectedHost(literals: readonly string[]): Expected {
  const first = withoutBreaks(literals[0]!);
  const web = WEB.exec(first)?.[0];
  if (web === undefined) return () => true;
  // The last literal piece of the host, and whether values stand before it.
  let host = '';
  let isTail = false;
  for (const [n, literal] of [first.slice(web.length), ...literals.slice(1)].entries()) {
    const end = literal.search(HOST_END);
    const piece = end < 0 ? literal : literal.slice(0, end);
    if (piece !== '') [host, isTail] = [piece, n > 0 && !piece.includes('@')];
    if (end >= 0) break;
  }
  const bare = host.slice(host.lastIndexOf('@') + 1);
  if (!isTail) return bare === '' ? () => true : is(bare.replace(/:$/, ''));
  const dot = bare.indexOf('.');
  const suffix = dot < 0 ? undefined : URL.parse(`https://x${bare.slice(dot).replace(/:$/, '')}`)?.hostname;
  return suffix === undefined ? () => true : (hostname) => hostname.endsWith(suffix.slice(1));
}

function is(host: string): Expected {
  const literal = URL.parse(`https://${host}`)?.hostname;
  return (hostname) => hostname === literal;
}

/** Browsers overlook them in links. */
const withoutBreaks = (link: string): string => link.replaceAll(/[\t\n\r]/g, '');
/** Nothing, or what may be the start of a scheme. */
const START = /^[\s\w+.-]*$/;
/** What a host of the web follows, as browsers read it. */
const WEB = /^[\s\p{Cc}]*(?:https?:[/\\]*|[/\\]{2,})/iu;
const HOST_END = /[/\\?#]/;
/** `mailto:`, `tel:` and their like, whose addresses and numbers have signs of their own. */
const OPAQUE = /^\s*[a-z][a-z0-9+.-]*:(?!\/)[^?#]*$/i;
/** What an app calls its host. */
const APP_HOST = /^[^/?#]*\/\/[^/?#]+$/;
/** In a path, where only dots would lead elsewhere. */
const DOTS = /^[^?#]*[/\\]\.*$/;
/** Only to read links that say no scheme. */
const ANYWHERE = 'https://link.invalid';

const asIs = (value: string): string => value;

/** A path, query and fragment, or parts of them; null where a value is none, or leads up the path. */
function restOfLink(value: string): string | null {
  if (value === '') return '';
  if (!/^[/?#]/.test(value)) return null;
  const path = value.split(/[?#]/, 1)[0]!;
  return path.split('/').some((segment) => /^\.+$/.test(segment)) ? null : encodeURI(value.toWellFormed());
}

function keeping(signs: string): (value: string) => string {
  const kept = new Map([...signs].map((sign) => [encodeURIComponent(sign), sign]));
  return (value) =>
    encodeURIComponent(value.toWellFormed()).replace(/%[0-9A-F]{2}/g, (code) => kept.get(code) ?? code);
}

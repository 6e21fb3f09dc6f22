/** A header to which each proxy appends the address that it got the request from. */
export type ForwardingHeader = 'x-forwarded-for' | 'forwarded';

/**
 * The addresses in a forwarding header, nearest first: from right to left, without ports. Undefined where an
 * entry has none, e.g. `unknown`, `for=_hidden` or garbage. Lazy: costs what is taken of it, and one look at each
 * character at most.
 *
 * @param most entries that are looked at, empty ones among them
 */
export function* addressesNearestFirst(
  header: ForwardingHeader,
  value: string,
  most: number,
): Generator<string | undefined, void, undefined> {
  const isForwarded = header === 'forwarded';
  const previousComma = isForwarded ? previousCommaOutsideQuotes : lastCommaBefore;
  let end = value.length;
  for (let looked = 0; looked < most && end >= 0; looked += 1) {
    const comma = previousComma(value, end);
    const entry = value.slice(comma + 1, end).trim();
    end = comma;
    if (entry === '') continue; // lists may have empty elements, which mean nothing
    const node = isForwarded ? forOf(entry) : entry;
    yield node === undefined ? undefined : withoutPort(node);
  }
}

const lastCommaBefore = (value: string, end: number): number =>
  end === 0 ? -1 : value.lastIndexOf(',', end - 1);

/**
 * Walks backwards, so that what a client wrote on the left (a quotation mark that is never closed) cannot swallow what
 * proxies wrote after it.
 */
function previousCommaOutsideQuotes(value: string, end: number): number {
  let isQuoted = false;
  for (let i = end - 1; i >= 0; i -= 1) {
    const character = value[i];
    if (character === '"') {
      let slashes = 0;
      while (value[i - 1 - slashes] === '\\') slashes += 1;
      if (slashes % 2 === 0) isQuoted = !isQuoted;
      i -= slashes;
    } else if (character === ',' && !isQuoted) return i;
  }
  return -1;
}

/** One `name=value` of an element (RFC 7239, section 4). Values that should have been quoted, like `[::1]:80`, are taken. */
const PAIR = /[ \t]*([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"\\]*))[ \t]*(?:;|$)/y;

/** The `for` of one element; undefined where there is none, or two, or anything that cannot be read. */
function forOf(element: string): string | undefined {
  let found: string | undefined;
  PAIR.lastIndex = 0;
  while (PAIR.lastIndex < element.length) {
    const pair = PAIR.exec(element);
    if (!pair) return undefined;
    if (pair[1]?.toLowerCase() !== 'for') continue;
    if (found !== undefined) return undefined;
    found = pair[2]?.replace(/\\(.)/g, '$1') ?? pair[3];
  }
  return found;
}

/** `1.2.3.4:5678`, `[2001:db8::1]:80` or `[2001:db8::1]`; ports may be obfuscated, like `_http`. */
const WITH_PORT = /^(?:([\d.]+):[\w.-]+|\[([^\]]+)\](?::[\w.-]+)?)$/;

function withoutPort(node: string): string {
  const parts = WITH_PORT.exec(node);
  return parts?.[1] ?? parts?.[2] ?? node;
}

/**
 * Where a provider lengthens its id of a message: SendGrid's events add the servers that handled it
 * (`.filterdrecv-…`, `.recvd-…`), mail's Message-ID adds the host (`@…`).
 */
const SUFFIX = /\.(?:filter|recvd)|@/;

/**
 * Whether two ids name one message of a delivery. Providers report an id in another form than they answered it in: with a
 * suffix after a dot or an `@`, in angle brackets, percent-encoded, in another case, with blanks around it.
 *
 * Only for ids of one delivery's messages: those are random, and never differ by such things alone.
 */
export function namesSameMessage(one: string, other: string): boolean {
  return forms(one).some((a) => forms(other).some((b) => isSame(a, b)));
}

const isSame = (a: string, b: string): boolean =>
  a === b || extend(a, b) || extend(b, a) || stem(a) === stem(b);

/** Whether an id is another one and a suffix, of whatever kind. */
const extend = (long: string, short: string): boolean =>
  short !== '' && (long.startsWith(`${short}.`) || long.startsWith(`${short}@`));

function stem(id: string): string {
  const at = id.search(SUFFIX);
  return at > 0 ? id.slice(0, at) : id;
}

/** An id as it is, and decoded: a percent sign may be its own, as in FCM's. */
const forms = (id: string): readonly string[] => [...new Set([plain(id), plain(decoded(id))])];

const plain = (id: string): string =>
  id
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .toLowerCase();

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

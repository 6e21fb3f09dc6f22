import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** In characters of base64url: 132 bits. No more than half of the hash, or somebody who sees it could go on hashing. */
const SIGNATURE = 22;

/**
 * Bytes that leave the server and come back: opaque, and good for one reader alone.
 *
 * @param secret known to every process that answers the API, and to nobody else
 * @param purpose what is signed for one is nothing to another
 * @param longest a body has at most so many bytes
 */
export function createSigner(secret: string, purpose: string, longest: number) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url');
  // The first half of SHA-256 over key and text: without the other half nobody can continue the hash. HMAC needs no such
  // care, but hashes twice, and in Node is an object of its own for each signature.
  // Their id's length first: else what stands behind a body might be the end of it, or the beginning of an id.
  const signatureOf = (readerId: string, text: string): string =>
    hash('sha256', `${key}${readerId.length}:${readerId}${text}`, 'base64url').slice(0, SIGNATURE);
  const longestSigned = Math.ceil((longest * 4) / 3) + SIGNATURE;

  return {
    sign(readerId: string, body: Buffer): string {
      const text = body.toString('base64url');
      return text + signatureOf(readerId, text);
    },
    /** The body; undefined for whatever was not signed for this reader. */
    verify(readerId: string, signed: string): Buffer | undefined {
      const text = signed.slice(0, -SIGNATURE);
      if (signed.length > longestSigned || !isSame(signatureOf(readerId, text), signed.slice(-SIGNATURE)))
        return undefined;
      return Buffer.from(text, 'base64url');
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [these, those] = [Buffer.from(a), Buffer.from(b)];
  return these.length === those.length && timingSafeEqual(these, those);
}

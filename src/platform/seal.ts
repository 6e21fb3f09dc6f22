import { hash, hkdfSync, timingSafeEqual } from 'node:crypto';

/** In characters of base64url: 132 bits. No more than half of the hash, or whoever sees it could go on hashing. */
const SIGNATURE = 22;

/** Bytes that leave the server and come back: opaque, and good for one reader alone. */
export interface Seal {
  close(readerId: string, body: Buffer): string;
  /** The body; undefined for whatever was not closed for this reader. */
  open(readerId: string, sealed: string): Buffer | undefined;
}

/**
 * @param secret known to every process that answers the API, and to nobody else
 * @param purpose what is sealed for one is nothing to another
 * @param longest a body has at most so many bytes
 */
export function createSeal(secret: string, purpose: string, longest: number): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)).toString('base64url');
  // The first half of SHA-256 over key and text: without the other half nobody can continue the hash. HMAC needs no such
  // care, but hashes twice, and in Node is an object of its own for each signature.
  // His length first: else what stands behind a body might be the end of it, or the beginning of an id.
  const sign = (readerId: string, text: string): string =>
    hash('sha256', `${key}${readerId.length}:${readerId}${text}`, 'base64url').slice(0, SIGNATURE);
  const longestSealed = Math.ceil((longest * 4) / 3) + SIGNATURE;

  return {
    close(readerId, body) {
      const text = body.toString('base64url');
      return text + sign(readerId, text);
    },
    open(readerId, sealed) {
      const text = sealed.slice(0, -SIGNATURE);
      if (sealed.length > longestSealed || !isSame(sign(readerId, text), sealed.slice(-SIGNATURE)))
        return undefined;
      return Buffer.from(text, 'base64url');
    },
  };
}

function isSame(a: string, b: string): boolean {
  const [these, those] = [Buffer.from(a), Buffer.from(b)];
  return these.length === those.length && timingSafeEqual(these, those);
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as its owner holds it, taken apart. */
export interface ApiKey {
  /** No secret: it names the key in lists, limits and logs. */
  readonly apiKeyId: string;
  readonly secret: string;
}

const PREFIX = 'tidings_';
// The secret may hold `_` itself: the parts are found by their lengths.
const SHAPE = /^tidings_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

/** A new key: its id is 64 random bits, its secret 256. */
export const makeApiKey = (): ApiKey => ({
  apiKeyId: randomBytes(8).toString('hex'),
  secret: randomBytes(32).toString('base64url'),
});

/** The text that its owner presents: `tidings_<apiKeyId>_<secret>`. */
export const writeApiKey = ({ apiKeyId, secret }: ApiKey): string => `${PREFIX}${apiKeyId}_${secret}`;

/** Whether a text can only be meant as a key: no signed token begins like one. */
export const isMeantAsApiKey = (text: string): boolean => text.startsWith(PREFIX);

/** What `writeApiKey` wrote; null for anything else. */
export function parseApiKey(text: string): ApiKey | null {
  const [, apiKeyId, secret] = SHAPE.exec(text) ?? [];
  return apiKeyId !== undefined && secret !== undefined ? { apiKeyId, secret } : null;
}

/** Whether a text has the form of a key's id. */
export const isApiKeyId = (text: string): boolean => /^[0-9a-f]{16}$/.test(text);

/** What is stored of a secret, in hex. SHA-256 is enough: nobody guesses 256 random bits, however fast. */
export const hashSecret = (secret: string): string => digest(secret).toString('hex');

/** Whether `hash` is that of `secret`, in a time that does not depend on where they differ. */
export const matchesHash = (secret: string, hash: string): boolean =>
  timingSafeEqual(digest(secret), Buffer.from(hash, 'hex'));

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest();

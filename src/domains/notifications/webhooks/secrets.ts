import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;

/**
 * How the secrets of webhooks are kept: they have to be there to sign with, so they are encrypted by a key of the configuration. A copy
 * of the database alone forges no message. Each is bound to its webhook: in another one's row it cannot be read.
 */
export interface SecretKeeper {
  /** A new secret as its receiver gets it, `whsec_` and 32 bytes in base64; and as it is stored. */
  make(webhookId: string): { readonly shown: string; readonly stored: Buffer };
  /** @throws where it was stored under another key, or for another webhook */
  read(webhookId: string, stored: Buffer): string;
}

/** @param key a long text of the configuration */
export function createSecretKeeper(key: string): SecretKeeper {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'tidings: secrets of webhooks', 32));
  return {
    make(webhookId) {
      const secret = randomBytes(SECRET_BYTES);
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, derived, iv).setAAD(Buffer.from(webhookId));
      const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
      return { shown: shown(secret), stored: Buffer.concat([iv, cipher.getAuthTag(), encrypted]) };
    },
    read(webhookId, stored) {
      const [iv, rest] = [stored.subarray(0, IV_BYTES), stored.subarray(IV_BYTES)];
      const decipher = createDecipheriv(CIPHER, derived, iv)
        .setAAD(Buffer.from(webhookId))
        .setAuthTag(rest.subarray(0, TAG_BYTES));
      return shown(Buffer.concat([decipher.update(rest.subarray(TAG_BYTES)), decipher.final()]));
    },
  };
}

const shown = (secret: Buffer): string => `whsec_${secret.toString('base64')}`;

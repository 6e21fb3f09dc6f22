import { importJWK, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../platform/clock.js';
import { cacheToken, type TokenCache } from '../cached-token.js';
import type { WebPushConfig } from './index.js';

/** Push services refuse a token that lasts over a day (RFC 8292); ours is left aside long before its end. */
const LIFETIME_SECONDS = 12 * 3600;
const REFRESH_SECONDS = 11 * 3600;
const KEPT_ORIGINS = 200;

/** Signs requests to push services as this application server (VAPID, RFC 8292). */
export interface Vapid {
  /** The Authorization header for a push service. Rejects where the private key cannot sign. */
  authorization(origin: string): Promise<string>;
}

export function createVapid(config: WebPushConfig, clock: Clock): Vapid {
  const tokens = new LRUCache<string, TokenCache>({
    max: KEPT_ORIGINS,
    memoMethod: (origin) =>
      cacheToken(clock, async () => {
        const token = await new SignJWT()
          .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
          .setAudience(origin)
          .setExpirationTime(Math.floor(clock.now() / 1000) + LIFETIME_SECONDS)
          .setSubject(config.subject)
          .sign(await importJWK(privateJwk(config), 'ES256'));
        return { token, refreshAfter: REFRESH_SECONDS };
      }),
  });
  return {
    authorization: async (origin) => `vapid t=${await tokens.memo(origin).get()}, k=${config.publicKey}`,
  };
}

/** The pair as browsers get it (an uncompressed point, and a number) in the form that signing wants. */
function privateJwk({ publicKey, privateKey }: WebPushConfig) {
  const point = Buffer.from(publicKey, 'base64url');
  const x = point.subarray(1, 33).toString('base64url');
  const y = point.subarray(33).toString('base64url');
  return { kty: 'EC', crv: 'P-256', x, y, d: privateKey };
}

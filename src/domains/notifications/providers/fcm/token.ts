import { importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import { cacheToken, type FreshToken, signWith, type TokenCache, TokenRefused } from '../cached-token.js';
import { failed, rateLimited, readJson, retryAfterSeconds, unanswered } from '../failure.js';
import type { Answer, HttpsClient } from '../https-client.js';
import type { FcmConfig } from './index.js';

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ASSERTION_SECONDS = 3600;
/** A token is left aside so long before its end that no call carries one that ends on the way. */
const REFRESH_EARLY_SECONDS = 300;
const EXCHANGE_TIMEOUT_MS = 5_000;

const granted = z.object({
  // What cannot stand in a header is no token, and must not be kept as one.
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  // RFC 6749 lets it be left out; some servers write it as text.
  expires_in: z.coerce.number().positive().default(ASSERTION_SECONDS),
});
const refused = z.object({ error: z.string() });
/** Refusals of OAuth 2.0 that pass by themselves; its other ones are about our credentials. */
const PASSING = ['temporarily_unavailable', 'server_error', 'slow_down'];

/**
 * OAuth 2.0 access tokens for FCM by the JWT-bearer grant (RFC 7523), from `config.tokenUrl`. Google's own
 * library sends this exchange to one fixed address with one fixed audience, so it cannot serve here.
 *
 * `get` rejects with TokenRefused. An exchange is shared by all callers, so it has a time limit of its own.
 */
export function fcmTokens(config: FcmConfig, clock: Clock, client: HttpsClient): TokenCache {
  return cacheToken(clock, async () => {
    const body = new URLSearchParams({ grant_type: GRANT, assertion: await assertion(config, clock) });
    const answer = await client.post(
      new URL(config.tokenUrl).pathname,
      { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body.toString(),
      AbortSignal.timeout(EXCHANGE_TIMEOUT_MS),
    );
    if (answer.kind === 'lost') throw new TokenRefused({ ...unanswered(answer), outcomeUnknown: false });
    return readToken(answer, clock.now());
  });
}

function assertion(config: FcmConfig, clock: Clock): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  return signWith('FCM_PRIVATE_KEY', async () =>
    new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(config.clientEmail)
      .setSubject(config.clientEmail)
      .setAudience(config.tokenUrl)
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .sign(await importPKCS8(config.privateKey, 'RS256')),
  );
}

function readToken(answer: Answer, now: number): FreshToken {
  const { status } = answer;
  const body = readJson(answer.body);
  const token = granted.safeParse(body);
  if (status === 200 && token.success) {
    const { access_token, expires_in } = token.data;
    return {
      token: access_token,
      refreshAfter: Math.max(expires_in - REFRESH_EARLY_SECONDS, expires_in / 2),
    };
  }
  const error = refused.safeParse(body).data?.error;
  const reason = error ?? `HTTP ${status} from the token endpoint, and no token in it`;
  if (status === 429) {
    throw new TokenRefused(
      rateLimited(reason, status, retryAfterSeconds(answer.headers['retry-after'], now)),
    );
  }
  // Only what OAuth refuses is about our credentials. An answer without a token and without a refusal is half of an answer,
  // or not the token endpoint's own (a proxy, a login page of a network): as passing as a 500.
  const isRefusal = status >= 400 && status < 500 && status !== 408 && !PASSING.includes(error ?? '');
  throw new TokenRefused(
    isRefusal
      ? failed('CREDENTIALS_REFUSED', reason, { status })
      : failed('PROVIDER_DOWN', reason, { status, retryable: true }),
  );
}

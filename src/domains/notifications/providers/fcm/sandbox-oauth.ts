import { randomBytes } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import type { Reply, SandboxRequest } from '../stand-in.js';

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const LIFETIME_SECONDS = 3599;
const KEPT_TOKENS = 1000;

const claims = z.object({ scope: z.string(), iat: z.number(), exp: z.number() });

/**
 * Google's token endpoint, and who holds a token of it.
 *
 * @param audience the endpoint's own URL, which assertions must name
 */
export function createFcmOauth(
  credentials: { readonly publicKey: string; readonly clientEmail: string },
  audience: () => string,
  clock: Clock,
) {
  const key = importSPKI(credentials.publicKey, 'RS256');
  const given = new Map<string, number>();

  async function explainAssertion(assertion: string): Promise<string | undefined> {
    try {
      const { payload } = await jwtVerify(assertion, await key, {
        algorithms: ['RS256'],
        issuer: credentials.clientEmail,
        audience: audience(),
        requiredClaims: ['exp', 'iat'],
        currentDate: new Date(clock.now()),
      });
      const parsed = claims.safeParse(payload);
      if (!parsed.success || !parsed.data.scope.split(' ').includes(SCOPE)) return 'invalid_scope';
      return parsed.data.exp - parsed.data.iat > 3600 ? 'invalid_grant' : undefined;
    } catch {
      return 'invalid_grant';
    }
  }

  return {
    /** Answers `POST /token`. */
    async exchange(request: SandboxRequest): Promise<Reply> {
      if (request.method !== 'POST') return { status: 405 };
      const form = new URLSearchParams(request.body.toString('utf8'));
      if (form.get('grant_type') !== GRANT) return problem('unsupported_grant_type', 'Invalid grant_type');
      const error = await explainAssertion(form.get('assertion') ?? '');
      if (error) return problem(error, 'The assertion is not acceptable.');
      const token = `ya29.${randomBytes(32).toString('base64url')}`;
      if (given.size >= KEPT_TOKENS) given.clear();
      given.set(token, clock.now() + LIFETIME_SECONDS * 1000);
      const body = { access_token: token, expires_in: LIFETIME_SECONDS, token_type: 'Bearer' };
      return { status: 200, body };
    },
    /** Whether the token was given here and has not ended. */
    isValid: (accessToken: string): boolean => (given.get(accessToken) ?? 0) > clock.now(),
  };
}

function problem(error: string, description: string): Reply {
  return { status: 400, body: { error, error_description: description } };
}

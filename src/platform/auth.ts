import {
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Clock, systemClock } from './clock.js';
import type { AuthConfig } from './config.js';
import { PublicError } from './errors.js';

export type Role = (typeof roleNames)[number];

/** Who is asking, as a verified token says. */
export interface Viewer {
  readonly userId: string;
  readonly roles: ReadonlySet<Role>;
  readonly plan: string;
  /** Milliseconds since the epoch; absent where the token never expires. */
  readonly expiresAt?: number;
}

export interface Authenticator {
  /**
   * Reads an `Authorization` header. No header is an anonymous caller: null.
   *
   * @throws PublicError UNAUTHENTICATED where the header is not `Bearer` and a valid, unexpired token;
   *   SERVICE_UNAVAILABLE where the issuer's keys cannot be fetched
   */
  authenticate(authorizationHeader: string | undefined): Promise<Viewer | null>;
}

export interface TokenClaims {
  readonly userId: string;
  readonly roles: Iterable<Role>;
  readonly plan: string;
  readonly expiresInSeconds: number;
  readonly issuer?: string;
  readonly audience?: string;
}

const roleNames = ['user', 'producer', 'admin'] as const;
const CACHED_TOKENS = 10_000;
/** A token is believed this long without looking again, so that a withdrawn key takes effect. */
const CACHED_FOR_MS = 60_000;
const LONGEST_TOKEN = 4_096;
const JWKS_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const isRole = (name: string): name is Role => roleNames.some((role) => role === name);

const claims = z.object({
  sub: z.string().min(1).max(64),
  // Roles of other systems may stand in the same token: they mean nothing here.
  roles: z
    .array(z.string())
    .default(['user'])
    .transform((names) => names.filter(isRole)),
  plan: z.string().min(1).max(64).default('free'),
  exp: z.number().optional(),
});

/** Verifies tokens signed with the shared secret (HS256 only) or by a key of the JWKS (never HS256). */
export function createAuthenticator(config: AuthConfig, clock: Clock): Authenticator {
  const verify = createVerifier(config, clock);
  const verified = new LRUCache<string, { viewer: Viewer; until: number }>({ max: CACHED_TOKENS });
  return {
    async authenticate(header) {
      if (header === undefined) return null;
      const known = verified.get(header);
      if (known && known.until > clock.now()) return known.viewer;
      const viewer = await verify(bearerToken(header));
      const until = Math.min(clock.now() + CACHED_FOR_MS, viewer.expiresAt ?? Infinity);
      verified.set(header, { viewer, until });
      return viewer;
    },
  };
}

/** Signs a token that `createAuthenticator` accepts for the same secret. */
export function signToken(secret: string, token: TokenClaims, clock: Clock = systemClock): Promise<string> {
  const now = Math.floor(clock.now() / 1000);
  const jwt = new SignJWT({ roles: [...token.roles], plan: token.plan })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(token.userId)
    .setIssuedAt(now)
    .setExpirationTime(now + token.expiresInSeconds);
  if (token.issuer !== undefined) jwt.setIssuer(token.issuer);
  if (token.audience !== undefined) jwt.setAudience(token.audience);
  return jwt.sign(new TextEncoder().encode(secret));
}

function createVerifier(config: AuthConfig, clock: Clock): (token: string) => Promise<Viewer> {
  const secret = config.secret === undefined ? undefined : new TextEncoder().encode(config.secret);
  const keys = config.jwksUrl === undefined ? undefined : createRemoteJWKSet(new URL(config.jwksUrl));
  const expected: JWTVerifyOptions = {
    ...(config.issuer !== undefined && { issuer: config.issuer }),
    ...(config.audience !== undefined && { audience: config.audience }),
  };
  return async (token) => {
    try {
      const options = { ...expected, currentDate: new Date(clock.now()) };
      const symmetric = decodeProtectedHeader(token).alg === 'HS256';
      if (symmetric && secret) {
        return readViewer((await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })).payload);
      }
      if (symmetric || !keys) throw unauthenticated();
      return readViewer((await jwtVerify(token, keys, { ...options, algorithms: JWKS_ALGORITHMS })).payload);
    } catch (error) {
      throw refusal(error);
    }
  };
}

function readViewer(payload: unknown): Viewer {
  const { sub, roles, plan, exp } = claims.parse(payload);
  return { userId: sub, roles: new Set(roles), plan, ...(exp !== undefined && { expiresAt: exp * 1000 }) };
}

function bearerToken(header: string): string {
  const token = /^Bearer +([^\s]+)$/i.exec(header)?.[1];
  if (token === undefined || token.length > LONGEST_TOKEN) throw unauthenticated();
  return token;
}

/** Says which part failed only where the caller is not to blame: a wrong token gets no hints. */
function refusal(error: unknown): PublicError {
  if (error instanceof PublicError) return error;
  if (error instanceof errors.JWTExpired) return new PublicError('UNAUTHENTICATED', 'The token has expired');
  const keysUnreachable =
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC') ||
    (error instanceof TypeError && error.message === 'fetch failed');
  return keysUnreachable
    ? new PublicError('SERVICE_UNAVAILABLE', 'The keys that tokens are signed with cannot be reached')
    : unauthenticated();
}

const unauthenticated = (): PublicError => new PublicError('UNAUTHENTICATED', 'The token is not valid');

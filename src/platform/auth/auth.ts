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
import { type Clock, systemClock } from '../clock.js';
import type { AuthConfig } from '../config.js';
import { PublicError, type UserError } from '../errors.js';
import { isMeantAsApiKey } from './api-key.js';
import { createApiKeyCheck, type FindApiKey, type NoteApiKeyUse } from './api-key-check.js';

export type Role = (typeof roleNames)[number];

/** Who is asking, as a verified token or API key says. */
export interface Viewer {
  readonly userId: string;
  readonly roles: ReadonlySet<Role>;
  readonly plan: string;
  /** The API key by which the user is known, if it was one. */
  readonly apiKeyId?: string;
  /** Milliseconds since the epoch; a viewer who came by a signed token always has it. */
  readonly expiresAt?: number;
}

type TokenViewer = Viewer & { readonly expiresAt: number };

export interface Authenticator {
  /**
   * Reads an `Authorization` header. No header is an anonymous caller: null.
   *
   * @throws PublicError UNAUTHENTICATED where the header is not `Bearer`, one space, and a valid API key or a valid
   *   token that expires within the next ten years;
   *   SERVICE_UNAVAILABLE where the issuer's keys cannot be fetched, or API keys cannot be looked up
   */
  authenticate(authorizationHeader: string | undefined): Promise<Viewer | null>;
  /** Whether judging this header would ask the database: an API key that nobody showed lately. */
  mustLookUp(authorizationHeader: string | undefined): boolean;
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
/** Of all cached tokens together. */
const CACHED_CHARACTERS = 8_000_000;
/** A token is trusted this long without looking again, so that a withdrawn key takes effect. */
const CACHED_FOR_MS = 60_000;
const LONGEST_TOKEN = 4_096;
const LONGEST_HEADER = 'Bearer '.length + LONGEST_TOKEN;
/** No token is accepted that is good for longer. */
export const LONGEST_LIFE_MS = 10 * 366 * 86_400_000;
const JWKS_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const knownRoles = new Map<string, ReadonlySet<Role>>();

/** The same set for all who have the same roles: of viewers there are many. */
function setOfRoles(names: readonly Role[]): ReadonlySet<Role> {
  const roles = roleNames.filter((role) => names.includes(role));
  const known = knownRoles.get(roles.join());
  if (known) return known;
  const made: ReadonlySet<Role> = new Set(roles);
  knownRoles.set(roles.join(), made);
  return made;
}

export const isRole = (name: string): name is Role => roleNames.some((role) => role === name);

/** Under these names tidings sends notifications of its own: they are nobody's. */
export const senders = ['feed', 'commerce', 'notifications'] as const;
export type Sender = (typeof senders)[number];
const isSender = (userId: string): boolean => senders.some((name) => name === userId);

/** Visible and well-formed: no control characters, no spaces, no half of a surrogate pair; and not a sender's. */
export const isUserId = (text: string): boolean => /^[^\p{C}\s]{1,64}$/u.test(text) && !isSender(text);

export const isPlan = (text: string): boolean => /^[^\p{C}]{1,64}$/u.test(text);

/** Why neither a token nor an API key can speak for a user on a plan: ID_INVALID, PLAN_INVALID; empty where they can. */
export function claimFaults(userId: string, plan: string): UserError[] {
  const faults: UserError[] = [];
  if (!isUserId(userId))
    faults.push({
      code: 'ID_INVALID',
      message: `A user is 1 to 64 visible characters, without spaces, and not ${senders.slice(0, -1).join(', ')} or ${senders.at(-1)}`,
      path: ['input', 'userId'],
    });
  if (!isPlan(plan))
    faults.push({
      code: 'PLAN_INVALID',
      message: 'A plan is 1 to 64 characters',
      path: ['input', 'plan'],
    });
  return faults;
}

const claims = z.object({
  sub: z.string().refine(isUserId),
  // Roles of other systems may stand in the same token: they mean nothing here.
  roles: z
    .array(z.string())
    .default(['user'])
    .transform((names) => names.filter(isRole)),
  plan: z.string().refine(isPlan).default('free'),
  exp: z.number(),
});

/**
 * Verifies tokens signed with the shared secret (HS256 only) or by a key of the JWKS (never HS256), and API keys where
 * it can look them up.
 */
export function createAuthenticator(
  config: AuthConfig,
  clock: Clock,
  {
    findApiKey,
    noteApiKeyUse,
  }: { readonly findApiKey?: FindApiKey; readonly noteApiKeyUse?: NoteApiKeyUse } = {},
): Authenticator {
  const verify = createVerifier(config, clock);
  const checkApiKey = findApiKey && createApiKeyCheck(findApiKey, clock, noteApiKeyUse);
  const verified = new LRUCache<string, { viewer: Viewer; until: number }>({
    maxSize: CACHED_CHARACTERS,
    // No more than so many either. With `max` it would reserve memory for all of them when it is made.
    sizeCalculation: (_, token) => Math.max(token.length, CACHED_CHARACTERS / CACHED_TOKENS),
  });
  return {
    async authenticate(header) {
      if (header === undefined) return null;
      const token = bearerToken(header);
      if (checkApiKey && isMeantAsApiKey(token)) return checkApiKey.check(token);
      const known = verified.get(token);
      if (known && known.until > clock.now()) return known.viewer;
      const viewer = await verify(token);
      verified.set(token, { viewer, until: Math.min(clock.now() + CACHED_FOR_MS, viewer.expiresAt) });
      return viewer;
    },
    mustLookUp(header) {
      const token = header?.slice('Bearer '.length) ?? '';
      return checkApiKey !== undefined && isMeantAsApiKey(token) && !checkApiKey.remembers(token);
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

function createVerifier(config: AuthConfig, clock: Clock): (token: string) => Promise<TokenViewer> {
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
        const { payload } = await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] });
        return readViewer(payload, clock);
      }
      if (symmetric || !keys) throw unauthenticated();
      const { payload } = await jwtVerify(token, keys, { ...options, algorithms: JWKS_ALGORITHMS });
      return readViewer(payload, clock);
    } catch (error) {
      throw refusal(error);
    }
  };
}

function readViewer(payload: unknown, clock: Clock): TokenViewer {
  const { sub, roles, plan, exp } = claims.parse(payload);
  const expiresAt = exp * 1000;
  if (expiresAt > clock.now() + LONGEST_LIFE_MS) throw unauthenticated();
  return { userId: sub, roles: setOfRoles(roles), plan, expiresAt };
}

function bearerToken(header: string): string {
  const token = header.length <= LONGEST_HEADER ? /^Bearer (\S+)$/i.exec(header)?.[1] : undefined;
  if (token === undefined) throw unauthenticated();
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

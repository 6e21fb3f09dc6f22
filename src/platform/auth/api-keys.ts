import type { Clock } from '../clock.js';
import { withinMs } from '../deadline.js';
import { ok, type Result, refusedAll } from '../errors.js';
import { type Postgres, type Queryable, type RowOf, runOn } from '../postgres/postgres.js';
import { isUnavailable } from '../unavailable.js';
import { hashSecret, makeApiKey, writeApiKey } from './api-key.js';
import { type FindApiKey, notForNow } from './api-key-check.js';
import { sql as statements } from './api-keys.sql.js';
import { claimFaults, isRole, type Role } from './auth.js';

/** Whom a key speaks for, and as what: the same as a token's claims. */
export interface ApiKeyOwner {
  /** 1 to 64 visible characters. */
  readonly userId: string;
  readonly roles: readonly Role[];
  /** 1 to 64 characters. */
  readonly plan: string;
}

/** A key as lists show it. */
export type ListedApiKey = RowOf<typeof statements.listApiKeys>;

/**
 * Makes a key. Its text is in this answer and nowhere else: only the secret's hash is stored.
 *
 * @returns refused with INVALID_USER or INVALID_PLAN, both where both are wrong
 */
export async function createApiKey(
  postgres: Queryable,
  owner: ApiKeyOwner,
  clock: Clock,
): Promise<Result<{ readonly apiKeyId: string; readonly text: string }>> {
  const errors = claimFaults(owner.userId, owner.plan);
  if (errors.length > 0) return refusedAll(errors);
  const { userId, roles, plan } = owner;
  const key = makeApiKey();
  const { apiKeyId, secret } = key;
  await postgres.query(statements.insertApiKey, [
    apiKeyId,
    hashSecret(secret),
    userId,
    [...new Set(roles)],
    plan,
    new Date(clock.now()),
  ]);
  return ok({ apiKeyId, text: writeApiKey(key) });
}

/** Every key, or one user's; revoked ones too, oldest first. */
export async function listApiKeys(postgres: Queryable, userId?: string): Promise<readonly ListedApiKey[]> {
  const { rows } = await postgres.query(statements.listApiKeys, [userId ?? null]);
  return rows;
}

/** Revokes a key for good; false where there is none. Processes that have accepted it go on to do so for a minute at most. */
export async function revokeApiKey(postgres: Queryable, apiKeyId: string, clock: Clock): Promise<boolean> {
  const { rowCount } = await postgres.query(statements.revokeApiKey, [apiKeyId, new Date(clock.now())]);
  return rowCount === 1;
}

/** Looks keys up in Postgres, and gives up after `lookupMs`, whatever state Postgres is in. */
export function findApiKeyIn({ pool }: Pick<Postgres, 'pool'>, lookupMs = 5_000): FindApiKey {
  return async (apiKeyId) => {
    try {
      const { rows } = await withinMs(lookupMs, runOn(pool, statements.findApiKey, [apiKeyId], lookupMs));
      return rows[0] ? { ...rows[0], roles: new Set(rows[0].roles.filter(isRole)) } : null;
    } catch (error) {
      throw isUnavailable(error) ? notForNow() : error;
    }
  };
}

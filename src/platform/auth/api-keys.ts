import type { Clock } from '../clock.js';
import { withinMs } from '../deadline.js';
import { ok, type Result, refusedAll, type UserError } from '../errors.js';
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

/** What is kept of a key besides. */
export interface ApiKeyNotes {
  /** What it is for: 1 to 100 characters. */
  readonly name?: string | null;
  /** The admin who makes it; absent for the command line. */
  readonly createdBy?: string;
}

/** A key as the command line lists it. */
export type ListedApiKey = RowOf<typeof statements.listApiKeys>;

/**
 * Makes a key. Its text is in this answer and nowhere else: only the secret's hash is stored.
 *
 * @returns refused with ID_INVALID, PLAN_INVALID and NAME_INVALID, all that are so
 */
export async function createApiKey(
  postgres: Queryable,
  owner: ApiKeyOwner,
  clock: Clock,
  { name = null, createdBy }: ApiKeyNotes = {},
): Promise<Result<{ readonly apiKeyId: string; readonly text: string }>> {
  const errors = [...claimFaults(owner.userId, owner.plan), ...nameFaults(name)];
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
    name,
    createdBy ?? null,
  ]);
  return ok({ apiKeyId, text: writeApiKey(key) });
}

const nameFaults = (name: string | null): UserError[] =>
  name === null || /^[^\p{C}]{1,100}$/u.test(name)
    ? []
    : [{ code: 'NAME_INVALID', message: 'A name is 1 to 100 characters', path: ['input', 'name'] }];

/** Every key, or one user's; revoked ones too, oldest first. */
export async function listApiKeys(postgres: Queryable, userId?: string): Promise<readonly ListedApiKey[]> {
  const { rows } = await postgres.query(statements.listApiKeys, [userId ?? null]);
  return rows;
}

/**
 * Revokes a key for good; false where there is none. Processes that have accepted it go on to do so for a minute at most.
 *
 * @param revokedBy the admin who does it; absent for the command line
 */
export async function revokeApiKey(
  postgres: Queryable,
  apiKeyId: string,
  clock: Clock,
  revokedBy?: string,
): Promise<boolean> {
  const now = new Date(clock.now());
  const { rowCount } = await postgres.query(statements.revokeApiKey, [apiKeyId, now, revokedBy ?? null]);
  return rowCount === 1;
}

/** Notes when keys are used, to about five minutes. Nobody waits for it, and a note that cannot be written is lost. */
export function noteApiKeyUseIn(
  { pool }: Pick<Postgres, 'pool'>,
  clock: Clock,
  noteMs = 5_000,
): (apiKeyId: string) => void {
  return (apiKeyId) =>
    void runOn(pool, statements.noteUse, [apiKeyId, new Date(clock.now())], noteMs).catch(() => undefined);
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

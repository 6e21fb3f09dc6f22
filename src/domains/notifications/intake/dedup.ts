import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import { groupCommit } from '../../../platform/group-commit.js';
import { confirmRead } from '../../../platform/postgres/confirm-read.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './dedup.sql.js';
import { sql as forgetStatements } from './forget.sql.js';
import type { Acceptance } from './request.js';

/** A producer's notification id means the same request for this long (notification document, limits). */
export const DEDUP_WINDOW_MS = 86_400_000;

const LOOKUPS_A_CALL = 200;

/** SHA-256 of what a request says, however its members are ordered: hexadecimal. */
export function fingerprint(request: object): string {
  return createHash('sha256').update(canonical(request)).digest('hex');
}

/** A request as its producer names it. */
export interface Claimed {
  readonly producer: string;
  readonly notificationId: string;
  readonly fingerprint: string;
}

/**
 * Step 2: the answer to a request that was accepted before; null for a new one. It spares repeats the later steps,
 * whose outcome may have changed since; of requests that come at once, the accepting transaction lets one win.
 *
 * Refused with NOTIFICATION_ID_REUSED where the id stood for another body.
 */
export type Dedup = (claimed: Claimed, now: number) => Promise<Result<Acceptance> | null>;

/** Requests that come at once are looked up in one statement. */
export function createDedup(postgres: Queryable): Dedup {
  async function find(asked: readonly { readonly claimed: Claimed; readonly since: Date }[]) {
    const { rows } = await postgres.query(statements.findAccepted, [
      asked.map(({ claimed }) => claimed.producer),
      asked.map(({ claimed }) => claimed.notificationId),
      asked.map(({ since }) => since),
    ]);
    if (rows.length > 0) await confirmRead(postgres);
    const first = new Map(rows.map((row) => [row.n - 1, row]));
    return asked.map((_, index) => first.get(index) ?? null);
  }

  const look = groupCommit({ commit: find, maxItems: LOOKUPS_A_CALL, callsAtOnce: 2 });
  return async (claimed, now) => {
    const first = await look({ claimed, since: new Date(now - DEDUP_WINDOW_MS) });
    if (!first) return null;
    const isSame = first.bodyHash.toString('hex') === claimed.fingerprint;
    return isSame ? ok(first.response) : idReused(claimed.notificationId);
  };
}

/** Forgets notification ids whose deduplication window is over. */
export const createForgetIds = (deps: { readonly postgres: Queryable; readonly clock: Clock }): Forget =>
  createForget(deps.postgres, forgetStatements.forgetIds, () => new Date(deps.clock.now() - DEDUP_WINDOW_MS));

export const idReused = (notificationId: string): Result<never> =>
  refused(
    'NOTIFICATION_ID_REUSED',
    `notificationId ${notificationId} was used for another request in the last 24 hours`,
    ['input', 'notificationId'],
  );

/** JSON with sorted members, without those that are absent. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

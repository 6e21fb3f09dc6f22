import { createHash } from 'node:crypto';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { Acceptance, SendRequest } from './request.js';

const statements = loadStatements(new URL('./dedup.sql', import.meta.url), ['findAccepted']);

/** A producer's notification id means the same request for this long (notification document, limits). */
export const DEDUP_WINDOW_MS = 86_400_000;

/** SHA-256 of what a request says, however its members are ordered: hexadecimal. */
export function fingerprint(request: SendRequest): string {
  return createHash('sha256').update(canonical(request)).digest('hex');
}

/**
 * Step 2: the answer to a request that was accepted before; null for a new one. It spares repeats the later steps,
 * whose outcome may have changed since; of requests that come at once, the accepting transaction lets one win.
 *
 * Refused with NOTIFICATION_ID_REUSED where the id stood for another body.
 */
export async function dedup(
  postgres: Queryable,
  producer: string,
  request: { readonly notificationId: string; readonly fingerprint: string },
  now: number,
): Promise<Result<Acceptance> | null> {
  const since = new Date(now - DEDUP_WINDOW_MS);
  const { rows } = await postgres.query<{ body_hash: Buffer; response: Acceptance }>(
    statements.findAccepted,
    [producer, request.notificationId, since],
  );
  const first = rows[0];
  if (!first) return null;
  if (first.body_hash.toString('hex') === request.fingerprint) return ok(first.response);
  return idReused(request.notificationId);
}

export const idReused = (notificationId: string): Result<never> =>
  refused(
    'NOTIFICATION_ID_REUSED',
    `notificationId ${notificationId} was used for another request in the last 24 hours`,
    ['input', 'notificationId'],
  );

/** JSON with sorted members, without those that are absent. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

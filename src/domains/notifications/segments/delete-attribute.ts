import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isAttributeName } from './attribute-types.js';
import { sql as statements } from './delete-attribute.sql.js';

interface Deps {
  readonly postgres: Queryable;
  readonly clock: Clock;
}

/** A name of users' attributes. Where it was deleted, its values are still being removed. */
export type AttributeName = RowOf<typeof statements.list>;

/** All names, in order: at most 1,000. */
export async function listAttributes({
  postgres,
}: Pick<Deps, 'postgres'>): Promise<readonly AttributeName[]> {
  return (await postgres.query(statements.list)).rows;
}

/**
 * Deletes a name, for admins. From now on filters do not know it and nobody gets a value; `stripDeleted` removes those that users have,
 * and the name last. Deleting it again changes nothing.
 *
 * Refused with ATTRIBUTE_UNKNOWN.
 *
 * @returns the name
 */
export async function deleteAttribute(
  { postgres, clock }: Deps,
  caller: Caller,
  name: string,
): Promise<Result<string>> {
  const marked = isAttributeName(name)
    ? await postgres.query(statements.markDeleted, [name, new Date(clock.now()), caller.viewer.userId])
    : undefined;
  if (marked?.rowCount) return ok(name);
  return refused('ATTRIBUTE_UNKNOWN', 'Nobody has an attribute of this name', ['input', 'name']);
}

/** Users whom one statement looks at, and statements of one run. */
const BATCH = 2_000;
const MOST_BATCHES = 20;

/** Removes values of names that were deleted, of 40,000 users at most; the next run goes on from there. Safe to repeat. */
export async function stripDeleted({ postgres, clock }: Deps, signal: AbortSignal): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES && !signal.aborted; batches += 1) {
    const [next] = (await postgres.query(statements.nextDeleted)).rows;
    if (!next) return;
    const { name, strippedTo } = next;
    const { rows } = await postgres.query(statements.strip, [name, strippedTo, BATCH, new Date(clock.now())]);
    const { looked, last } = rows[0]!;
    if (looked < BATCH) await postgres.query(statements.remove, [name]);
    else await postgres.query(statements.noteStripped, [name, last]);
  }
}

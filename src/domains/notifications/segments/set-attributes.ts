import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import { addTypes, lockTypes, lockUsers, putAttributes } from './attribute-store.js';
import {
  checkUsers,
  checkValues,
  mergeAttributes,
  namesIn,
  typesOfNew,
  type UserAttributes,
} from './attributes.js';

/** What was written so far is undone. */
class Refused extends Error {
  constructor(readonly errors: readonly UserError[]) {
    super('refused');
    this.name = 'Refused';
  }
}

function refuseIf(errors: readonly UserError[]): void {
  if (errors.length > 0) throw new Refused(errors);
}

/**
 * Merges attributes into what users have, all or nothing; null removes. A name that is new gets the type of its first value, for
 * everybody. Users need no account: who has none yet is in no segment until then.
 *
 * Refused with NO_USERS, TOO_MANY_USERS, ID_INVALID, ATTRIBUTE_NAME_INVALID, ATTRIBUTE_VALUE_INVALID, ATTRIBUTE_TYPE,
 * ATTRIBUTE_BEING_DELETED or TOO_MANY_ATTRIBUTES.
 *
 * @returns how many users have something else than before
 */
export async function setUserAttributes(
  { postgres, clock }: { readonly postgres: Postgres; readonly clock: Clock },
  caller: Caller,
  users: readonly UserAttributes[],
): Promise<Result<number>> {
  const faults = checkUsers(users);
  if (faults.length > 0) return refusedAll(faults);
  try {
    return ok(await postgres.transaction((tx) => write(tx, caller, users, new Date(clock.now()))));
  } catch (error) {
    if (error instanceof Refused) return refusedAll(error.errors);
    throw error;
  }
}

async function write(
  tx: Queryable,
  caller: Caller,
  users: readonly UserAttributes[],
  now: Date,
): Promise<number> {
  const { types: known, beingDeleted } = await lockTypes(tx, namesIn(users));
  refuseIf(beingDeleted.map(isBeingDeleted));
  const added = typesOfNew(users, known);
  const types = new Map([...known, ...added]);
  refuseIf(checkValues(users, types));
  const excess = await addTypes(tx, added, caller, now);
  if (excess !== null) refuseIf([tooManyNames(excess)]);
  const userIds = [...new Set(users.map(({ userId }) => userId))];
  const { faults, changed } = mergeAttributes(users, await lockUsers(tx, userIds, now), types);
  refuseIf(faults);
  await putAttributes(tx, changed, now);
  return changed.size;
}

const isBeingDeleted = (name: string): UserError => ({
  code: 'ATTRIBUTE_BEING_DELETED',
  message: `${name} was deleted, and its values are still being removed: try again later`,
  path: ['input', 'users'],
});

const tooManyNames = (message: string): UserError => ({
  code: 'TOO_MANY_ATTRIBUTES',
  message,
  path: ['input', 'users'],
});

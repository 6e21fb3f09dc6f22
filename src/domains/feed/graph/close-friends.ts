import type { Caller } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';
import { MAX_USER_ID, type User } from '../types.js';
import { sql } from './close-friends.sql.js';
import { findUsers, isUserId } from './users.js';

/**
 * Sets whether the caller is notified of each new post of a user whom they follow. After an unfollow it has no effect;
 * following again restores it. Codes: ID_INVALID, NOT_FOUND, NOT_FOLLOWING.
 */
export async function setCloseFriend(
  deps: { postgres: Queryable },
  caller: Caller,
  input: { readonly userId: string; readonly isCloseFriend: boolean },
): Promise<Result<User>> {
  const path = ['input', 'userId'];
  if (!isUserId(input.userId)) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, path);
  }
  const [friend] = await findUsers(deps, [input.userId]);
  if (!friend) return refused('NOT_FOUND', 'There is no such user', path);
  const { rowCount } = await deps.postgres.query(input.isCloseFriend ? sql.add : sql.remove, [
    caller.viewer.userId,
    input.userId,
  ]);
  return input.isCloseFriend && rowCount === 0
    ? refused('NOT_FOLLOWING', 'Follow them first: a close friend is somebody whom you follow', path)
    : ok(friend);
}

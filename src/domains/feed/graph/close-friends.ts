import type { Caller } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { MAX_USER_ID, type User } from '../types.js';
import { findUsers, isUserId } from './users.js';

const sql = loadStatements(new URL('./close-friends.sql', import.meta.url), ['add', 'remove', 'listeners']);

/**
 * Says whether the caller wants to hear of each new post of somebody whom he follows. An unfollow makes it without
 * effect, and following again brings it back. Codes: ID_INVALID, NOT_FOUND, NOT_FOLLOWING.
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
    ? refused('NOT_FOLLOWING', 'Follow him first: a close friend is somebody whom you follow', path)
    : ok(friend);
}

/** Somebody who wants to hear of an author's posts. */
export interface Listener {
  /** By which the next page goes on. */
  readonly id: number;
  readonly userId: string;
}

/**
 * A page of those to whom the author is a close friend, by surrogate id: they follow him, and neither a block nor a mute
 * of theirs stands between them.
 *
 * @param after the last `id` of the page before; 0 for the first
 */
export async function findListeners(
  deps: { postgres: Queryable },
  authorId: string,
  after: number,
  limit: number,
): Promise<Listener[]> {
  const { rows } = await deps.postgres.query<{ id: number; user_id: string }>(sql.listeners, [
    authorId,
    after,
    limit,
  ]);
  return rows.map((row) => ({ id: row.id, userId: row.user_id }));
}

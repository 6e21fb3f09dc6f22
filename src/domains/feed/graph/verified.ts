import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';
import { MAX_USER_ID, type User } from '../types.js';
import { findUsers, isUserId, type Summaries } from './users.js';
import { sql } from './verified.sql.js';

/**
 * Sets whether a user is verified; their posts show it at once. Harmless to repeat. The caller's right to do so was checked
 * before. Codes: ID_INVALID, NOT_FOUND.
 */
export async function setVerified(
  deps: { postgres: Queryable; authors: Summaries },
  input: { readonly userId: string; readonly verified: boolean },
): Promise<Result<User>> {
  const path = ['input', 'userId'];
  if (!isUserId(input.userId)) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, path);
  }
  await deps.postgres.query(sql.setVerified, [input.userId, input.verified]);
  await deps.authors.forget([input.userId]);
  const [user] = await findUsers(deps, [input.userId]);
  return user ? ok(user) : refused('NOT_FOUND', 'There is no such user', path);
}

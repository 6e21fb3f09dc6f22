import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { MAX_USER_ID, type User } from '../types.js';
import { findUsers } from './users.js';

interface Deps {
  readonly log: EventLog;
  readonly postgres: Queryable;
  readonly cache: FeedCache;
  readonly ids: Ids;
}

/** Follows a user; following twice is following once. Codes: ID_INVALID, NOT_FOUND, CANNOT_FOLLOW_YOURSELF. */
export function followUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(
      refused('CANNOT_FOLLOW_YOURSELF', 'You see your own posts anyway', ['input', 'userId']),
    );
  }
  return changeEdge(deps, caller, userId, 'follow_user', 'UserFollowed');
}

/** Unfollows a user; where there was no edge nothing changes. Codes: ID_INVALID, NOT_FOUND. */
export function unfollowUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return changeEdge(deps, caller, userId, 'unfollow_user', 'UserUnfollowed');
}

async function changeEdge(
  deps: Deps,
  caller: Caller,
  userId: string,
  guard: string,
  type: 'UserFollowed' | 'UserUnfollowed',
): Promise<Result<User>> {
  if (userId === '' || userId.length > MAX_USER_ID) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, ['input', 'userId']);
  }
  const [user] = await findUsers(deps, [userId]);
  if (!user) return refused('NOT_FOUND', 'There is no such user', ['input', 'userId']);
  const edge = { followerId: caller.viewer.userId, followeeId: userId };
  const result = await deps.log.append({
    appends: [
      {
        streamId: `User-${edge.followerId}`,
        expected: 'any',
        events: [{ type, data: { ...edge, version: 1 } }],
      },
    ],
    metadata: metadataOf(caller, caller.correlationId),
    guard: { name: guard, args: edge },
  });
  if (result.kind !== 'accepted')
    throw new Error(`${guard} of an existing user was not accepted: ${result.kind}`);
  // Done at once, the caller reads his own write. Where it fails the projector does it again: the edge is accepted.
  await deps.cache.invalidate([edge.followerId]).catch(() => undefined);
  const [changed] = await findUsers(deps, [userId]);
  return ok(changed!);
}

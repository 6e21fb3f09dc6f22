import type { Caller } from '../../../platform/caller.js';
import { type Result, refused } from '../../../platform/errors.js';
import type { FeedCache } from '../cache/feed-cache.js';
import type { User } from '../types.js';
import { changeEdge, type EdgeDeps } from './change-edge.js';
import type { RelationCache } from './relations.js';

interface Deps extends EdgeDeps {
  readonly cache: Pick<FeedCache, 'invalidate'>;
  readonly relations: Pick<RelationCache, 'invalidate'>;
}

/**
 * Follows a user; following twice is following once. His posts come to the follower's feed, older ones too.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_FOLLOW_YOURSELF, BLOCKED.
 */
export function followUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(
      refused('CANNOT_FOLLOW_YOURSELF', 'You see your own posts anyway', ['input', 'userId']),
    );
  }
  return change(deps, caller, userId, 'follow_user', 'UserFollowed');
}

/** Unfollows a user; where there was no edge nothing changes. Codes: ID_INVALID, NOT_FOUND. */
export function unfollowUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'unfollow_user', 'UserUnfollowed');
}

function change(
  deps: Deps,
  caller: Caller,
  followeeId: string,
  guard: string,
  type: string,
): Promise<Result<User>> {
  const followerId = caller.viewer.userId;
  return changeEdge(deps, caller, followeeId, {
    guard,
    type,
    edge: { followerId, followeeId },
    forget: () => forgetFollows(deps, [followerId]),
  });
}

/** After follows changed: these readers' feeds are made anew, by whom they follow now. */
export async function forgetFollows(
  deps: Pick<Deps, 'cache' | 'relations'>,
  followerIds: readonly string[],
): Promise<void> {
  await Promise.all([deps.cache.invalidate(followerIds), deps.relations.invalidate(followerIds)]);
}

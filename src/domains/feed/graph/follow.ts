import type { Caller } from '../../../platform/caller.js';
import { type Result, refused } from '../../../platform/errors.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { feedProjections } from '../inline-projections.js';
import type { User } from '../types.js';
import { changeRelation, type RelationDeps } from './change-relation.js';
import type { RelationCache } from './relations.js';

interface Deps extends RelationDeps {
  readonly cache: Pick<FeedCache, 'invalidate'>;
  readonly relations: Pick<RelationCache, 'invalidate'>;
}

/**
 * Follows a user; following twice is following once. Their posts come to the follower's feed, older ones too.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_FOLLOW_YOURSELF, BLOCKED.
 */
export function followUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(
      refused('CANNOT_FOLLOW_YOURSELF', 'You see your own posts anyway', ['input', 'userId']),
    );
  }
  return change(deps, caller, userId, 'UserFollowed', 'follow_user');
}

/** Unfollows a user; where the caller did not follow them nothing changes. Codes: ID_INVALID, NOT_FOUND. */
export function unfollowUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'UserUnfollowed', 'unfollow_user');
}

function change(
  deps: Deps,
  caller: Caller,
  followeeId: string,
  type: 'UserFollowed' | 'UserUnfollowed',
  projection: 'follow_user' | 'unfollow_user',
): Promise<Result<User>> {
  const followerId = caller.viewer.userId;
  const follow = { followerId, followeeId };
  return changeRelation(deps, caller, followeeId, {
    event: { type, data: { ...follow, version: 1 } },
    inlineProjection: feedProjections.call(projection, follow),
    invalidate: () => forgetFollows(deps, [followerId]),
  });
}

/** After follows changed: these readers' feeds are built again. */
export async function forgetFollows(
  deps: Pick<Deps, 'cache' | 'relations'>,
  followerIds: readonly string[],
): Promise<void> {
  await Promise.all([deps.cache.invalidate(followerIds), deps.relations.invalidate(followerIds)]);
}

import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog, InlineProjection } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { append, type FeedEvent } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import type { User } from '../types.js';
import { sql } from './change-relation.sql.js';
import type { RelationCache } from './relations.js';
import { findUsers, invalidId, isUserId, noSuchUser } from './users.js';

const PATH = ['input', 'userId'];

interface Deps {
  readonly log: EventLog;
  readonly postgres: Queryable;
  readonly cache: Pick<FeedCache, 'invalidate'>;
  readonly relations: Pick<RelationCache, 'invalidate'>;
}

/** Changes the caller's relation to another user, and answers that user as they are afterwards. Harmless to repeat. */
type ChangeRelation = (deps: Deps, caller: Caller, userId: string) => Promise<Result<User>>;

/**
 * Follows a user. Their posts come to the follower's feed, older ones too.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_FOLLOW_YOURSELF, BLOCKED.
 */
export const followUser = ofAnother(
  changeFollow('UserFollowed', 'follow_user'),
  refused('CANNOT_FOLLOW_YOURSELF', 'You see your own posts anyway', PATH),
);

/** Unfollows a user; where the caller did not follow them nothing changes. Codes: ID_INVALID, NOT_FOUND. */
export const unfollowUser = changeFollow('UserUnfollowed', 'unfollow_user');

/**
 * Takes a user's posts and reshares out of the caller's feed, followed or not; no other user sees it.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_MUTE_YOURSELF.
 */
export const muteUser = ofAnother(
  changeMute('UserMuted', 'mute_user'),
  refused('CANNOT_MUTE_YOURSELF', 'You cannot mute yourself', PATH),
);

/** Ends a mute. Codes: ID_INVALID, NOT_FOUND. */
export const unmuteUser = changeMute('UserUnmuted', 'unmute_user');

/**
 * Blocks a user, both ways: neither sees what the other writes. Follows between them stay and are without effect, so
 * that unblocking brings everything back. Codes: ID_INVALID, NOT_FOUND, CANNOT_BLOCK_YOURSELF.
 */
export const blockUser = ofAnother(
  changeBlock('UserBlocked', 'block_user'),
  refused('CANNOT_BLOCK_YOURSELF', 'You cannot block yourself', PATH),
);

/** Removes the caller's own block; where the other has one too, that one stays. Codes: ID_INVALID, NOT_FOUND. */
export const unblockUser = changeBlock('UserUnblocked', 'unblock_user');

/** After follows changed: these readers' feeds are built again. */
export async function forgetFollows(
  deps: Pick<Deps, 'cache' | 'relations'>,
  followerIds: readonly string[],
): Promise<void> {
  await Promise.all([deps.cache.invalidate(followerIds), deps.relations.invalidate(followerIds)]);
}

function ofAnother(changeRelation: ChangeRelation, refusal: Result<never>): ChangeRelation {
  return async (deps, caller, userId) =>
    userId === caller.viewer.userId ? refusal : changeRelation(deps, caller, userId);
}

function changeFollow(
  type: 'UserFollowed' | 'UserUnfollowed',
  projection: 'follow_user' | 'unfollow_user',
): ChangeRelation {
  return (deps, caller, followeeId) => {
    const followerId = caller.viewer.userId;
    const follow = { followerId, followeeId };
    return change(deps, caller, followeeId, {
      event: { type, data: { ...follow, version: 1 } },
      inlineProjection: feedProjections.call(projection, follow),
      invalidate: () => forgetFollows(deps, [followerId]),
    });
  };
}

function changeMute(
  type: 'UserMuted' | 'UserUnmuted',
  projection: 'mute_user' | 'unmute_user',
): ChangeRelation {
  return (deps, caller, mutedId) => {
    const { userId } = caller.viewer;
    const mute = { userId, mutedId };
    return change(deps, caller, mutedId, {
      event: { type, data: { ...mute, version: 1 } },
      inlineProjection: feedProjections.call(projection, mute),
      invalidate: () => deps.relations.invalidate([userId]),
    });
  };
}

function changeBlock(
  type: 'UserBlocked' | 'UserUnblocked',
  projection: 'block_user' | 'unblock_user',
): ChangeRelation {
  return (deps, caller, blockedId) => {
    const { userId } = caller.viewer;
    const block = { userId, blockedId };
    return change(deps, caller, blockedId, {
      event: { type, data: { ...block, version: 1 } },
      inlineProjection: feedProjections.call(projection, block),
      invalidate: () => deps.relations.invalidate([userId, blockedId]),
    });
  };
}

interface Change {
  readonly event: FeedEvent;
  readonly inlineProjection: InlineProjection;
  /** Invalidates caches; done again by the projector of the event. */
  readonly invalidate: () => Promise<unknown>;
}

async function change(
  deps: Pick<Deps, 'log' | 'postgres'>,
  caller: Caller,
  otherId: string,
  { event, inlineProjection, invalidate }: Change,
): Promise<Result<User>> {
  if (!isUserId(otherId)) return invalidId;
  const result = await append(deps, caller, event, inlineProjection);
  if (result.kind === 'refused')
    return result.code === 'BLOCKED'
      ? refused('BLOCKED', 'One of you has blocked the other', PATH)
      : noSuchUser;
  // Every read after this answer sees the change. The projector invalidates again, for a process that was killed here.
  await invalidate();
  const [other] = await findUsers(deps, [otherId]);
  return ok(other!);
}

/**
 * Sets whether the caller is notified of each new post of a user whom they follow. After an unfollow it has no effect;
 * following again restores it. Codes: ID_INVALID, NOT_FOUND, NOT_FOLLOWING.
 */
export async function setCloseFriend(
  deps: Pick<Deps, 'postgres'>,
  caller: Caller,
  { userId, isCloseFriend }: { readonly userId: string; readonly isCloseFriend: boolean },
): Promise<Result<User>> {
  if (!isUserId(userId)) return invalidId;
  const [friend] = await findUsers(deps, [userId]);
  if (!friend) return noSuchUser;
  const statement = isCloseFriend ? sql.add : sql.remove;
  const { rowCount } = await deps.postgres.query(statement, [caller.viewer.userId, userId]);
  return isCloseFriend && rowCount === 0
    ? refused('NOT_FOLLOWING', 'Follow them first: a close friend is somebody whom you follow', PATH)
    : ok(friend);
}

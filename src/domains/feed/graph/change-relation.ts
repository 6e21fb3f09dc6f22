import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog, InlineProjection } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { appendOf, type FeedEvent } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import { MAX_USER_ID, type User } from '../types.js';
import type { RelationCache } from './relations.js';
import { findUsers, isUserId } from './users.js';

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
export const followUser: ChangeRelation = (deps, caller, userId) =>
  isCaller(caller, userId)
    ? refusedFor('CANNOT_FOLLOW_YOURSELF', 'You see your own posts anyway')
    : changeFollow(deps, caller, userId, 'UserFollowed', 'follow_user');

/** Unfollows a user; where the caller did not follow them nothing changes. Codes: ID_INVALID, NOT_FOUND. */
export const unfollowUser: ChangeRelation = (deps, caller, userId) =>
  changeFollow(deps, caller, userId, 'UserUnfollowed', 'unfollow_user');

/**
 * Takes a user's posts and reshares out of the caller's feed, followed or not; no other user sees it.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_MUTE_YOURSELF.
 */
export const muteUser: ChangeRelation = (deps, caller, userId) =>
  isCaller(caller, userId)
    ? refusedFor('CANNOT_MUTE_YOURSELF', 'You cannot mute yourself')
    : changeMute(deps, caller, userId, 'UserMuted', 'mute_user');

/** Ends a mute. Codes: ID_INVALID, NOT_FOUND. */
export const unmuteUser: ChangeRelation = (deps, caller, userId) =>
  changeMute(deps, caller, userId, 'UserUnmuted', 'unmute_user');

/**
 * Blocks a user, both ways: neither sees what the other writes. Follows between them stay and are without effect, so
 * that unblocking brings everything back. Codes: ID_INVALID, NOT_FOUND, CANNOT_BLOCK_YOURSELF.
 */
export const blockUser: ChangeRelation = (deps, caller, userId) =>
  isCaller(caller, userId)
    ? refusedFor('CANNOT_BLOCK_YOURSELF', 'You cannot block yourself')
    : changeBlock(deps, caller, userId, 'UserBlocked', 'block_user');

/** Removes the caller's own block; where the other has one too, that one stays. Codes: ID_INVALID, NOT_FOUND. */
export const unblockUser: ChangeRelation = (deps, caller, userId) =>
  changeBlock(deps, caller, userId, 'UserUnblocked', 'unblock_user');

/** After follows changed: these readers' feeds are built again. */
export async function forgetFollows(
  deps: Pick<Deps, 'cache' | 'relations'>,
  followerIds: readonly string[],
): Promise<void> {
  await Promise.all([deps.cache.invalidate(followerIds), deps.relations.invalidate(followerIds)]);
}

const PATH = ['input', 'userId'];

const isCaller = ({ viewer }: Caller, userId: string): boolean => viewer.userId === userId;

const refusedFor = async (code: string, message: string): Promise<Result<never>> =>
  refused(code, message, PATH);

function changeFollow(
  deps: Deps,
  caller: Caller,
  followeeId: string,
  type: 'UserFollowed' | 'UserUnfollowed',
  projection: 'follow_user' | 'unfollow_user',
): Promise<Result<User>> {
  const followerId = caller.viewer.userId;
  const follow = { followerId, followeeId };
  return change(deps, caller, followeeId, {
    event: { type, data: { ...follow, version: 1 } },
    inlineProjection: feedProjections.call(projection, follow),
    invalidate: () => forgetFollows(deps, [followerId]),
  });
}

function changeMute(
  deps: Deps,
  caller: Caller,
  mutedId: string,
  type: 'UserMuted' | 'UserUnmuted',
  projection: 'mute_user' | 'unmute_user',
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  const mute = { userId, mutedId };
  return change(deps, caller, mutedId, {
    event: { type, data: { ...mute, version: 1 } },
    inlineProjection: feedProjections.call(projection, mute),
    invalidate: () => deps.relations.invalidate([userId]),
  });
}

function changeBlock(
  deps: Deps,
  caller: Caller,
  blockedId: string,
  type: 'UserBlocked' | 'UserUnblocked',
  projection: 'block_user' | 'unblock_user',
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  const block = { userId, blockedId };
  return change(deps, caller, blockedId, {
    event: { type, data: { ...block, version: 1 } },
    inlineProjection: feedProjections.call(projection, block),
    invalidate: () => deps.relations.invalidate([userId, blockedId]),
  });
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
  if (!isUserId(otherId)) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, PATH);
  }
  const result = await deps.log.append({
    appends: [appendOf(event)],
    metadata: metadataOf(caller, caller.correlationId),
    inlineProjection,
  });
  if (result.kind === 'refused') {
    return result.code === 'BLOCKED'
      ? refused('BLOCKED', 'One of you has blocked the other', PATH)
      : refused('NOT_FOUND', 'There is no such user', PATH);
  }
  if (result.kind !== 'accepted') throw new Error(`${event.type} was not accepted: ${result.kind}`);
  // Every read after this answer sees the change. The projector invalidates again, for a process that was killed here.
  await invalidate();
  const [other] = await findUsers(deps, [otherId]);
  return ok(other!);
}

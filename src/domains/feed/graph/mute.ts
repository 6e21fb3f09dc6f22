import type { Caller } from '../../../platform/caller.js';
import { type Result, refused } from '../../../platform/errors.js';
import { feedProjections } from '../inline-projections.js';
import type { User } from '../types.js';
import { changeRelation, type RelationDeps } from './change-relation.js';
import type { RelationCache } from './relations.js';

interface Deps extends RelationDeps {
  readonly relations: Pick<RelationCache, 'invalidate'>;
}

/**
 * Takes a user's posts and reshares out of the caller's feed, followed or not; no other user sees it. Muting twice is
 * muting once. Codes: ID_INVALID, NOT_FOUND, CANNOT_MUTE_YOURSELF.
 */
export function muteUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(refused('CANNOT_MUTE_YOURSELF', 'You cannot mute yourself', ['input', 'userId']));
  }
  return change(deps, caller, userId, 'UserMuted', 'mute_user');
}

/** Ends a mute. Codes: ID_INVALID, NOT_FOUND. */
export function unmuteUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'UserUnmuted', 'unmute_user');
}

function change(
  deps: Deps,
  caller: Caller,
  mutedId: string,
  type: 'UserMuted' | 'UserUnmuted',
  projection: 'mute_user' | 'unmute_user',
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  const mute = { userId, mutedId };
  return changeRelation(deps, caller, mutedId, {
    event: { type, data: { ...mute, version: 1 } },
    inlineProjection: feedProjections.call(projection, mute),
    invalidate: () => deps.relations.invalidate([userId]),
  });
}

import type { Caller } from '../../../platform/caller.js';
import { type Result, refused } from '../../../platform/errors.js';
import type { User } from '../types.js';
import { changeEdge, type EdgeDeps } from './change-edge.js';
import type { RelationCache } from './relations.js';

interface Deps extends EdgeDeps {
  readonly relations: Pick<RelationCache, 'invalidate'>;
}

/**
 * Takes a user's posts and reshares out of the caller's feed, followed or not; nobody else notices. Muting twice is
 * muting once. Codes: ID_INVALID, NOT_FOUND, CANNOT_MUTE_YOURSELF.
 */
export function muteUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(refused('CANNOT_MUTE_YOURSELF', 'You cannot mute yourself', ['input', 'userId']));
  }
  return change(deps, caller, userId, 'mute_user', 'UserMuted');
}

/** Brings a muted user's posts back. Codes: ID_INVALID, NOT_FOUND. */
export function unmuteUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'unmute_user', 'UserUnmuted');
}

function change(
  deps: Deps,
  caller: Caller,
  mutedId: string,
  guard: string,
  type: string,
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  return changeEdge(deps, caller, mutedId, {
    guard,
    type,
    edge: { userId, mutedId },
    forget: () => deps.relations.invalidate([userId]),
  });
}

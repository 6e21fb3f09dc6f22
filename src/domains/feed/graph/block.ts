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
 * Blocks a user, both ways: neither sees what the other writes. Follows between them stay and are without effect, so
 * that unblocking brings everything back. Blocking twice is blocking once.
 * Codes: ID_INVALID, NOT_FOUND, CANNOT_BLOCK_YOURSELF.
 */
export function blockUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  if (userId === caller.viewer.userId) {
    return Promise.resolve(
      refused('CANNOT_BLOCK_YOURSELF', 'You cannot block yourself', ['input', 'userId']),
    );
  }
  return change(deps, caller, userId, 'UserBlocked', 'block_user');
}

/** Removes the caller's own block; where the other has one too, that one stays. Codes: ID_INVALID, NOT_FOUND. */
export function unblockUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'UserUnblocked', 'unblock_user');
}

function change(
  deps: Deps,
  caller: Caller,
  blockedId: string,
  type: 'UserBlocked' | 'UserUnblocked',
  projection: 'block_user' | 'unblock_user',
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  const block = { userId, blockedId };
  return changeRelation(deps, caller, blockedId, {
    event: { type, data: { ...block, version: 1 } },
    inlineProjection: feedProjections.call(projection, block),
    invalidate: () => deps.relations.invalidate([userId, blockedId]),
  });
}

import type { Caller } from '../../../platform/caller.js';
import { type Result, refused } from '../../../platform/errors.js';
import type { User } from '../types.js';
import { changeEdge, type EdgeDeps } from './change-edge.js';
import type { RelationCache } from './relations.js';

interface Deps extends EdgeDeps {
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
  return change(deps, caller, userId, 'block_user', 'UserBlocked');
}

/** Takes the caller's own block back; where the other has one too, that stands. Codes: ID_INVALID, NOT_FOUND. */
export function unblockUser(deps: Deps, caller: Caller, userId: string): Promise<Result<User>> {
  return change(deps, caller, userId, 'unblock_user', 'UserUnblocked');
}

function change(
  deps: Deps,
  caller: Caller,
  blockedId: string,
  guard: string,
  type: string,
): Promise<Result<User>> {
  const { userId } = caller.viewer;
  return changeEdge(deps, caller, blockedId, {
    guard,
    type,
    edge: { userId, blockedId },
    forget: () => deps.relations.invalidate([userId, blockedId]),
  });
}

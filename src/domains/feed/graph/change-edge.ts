import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import { MAX_USER_ID, type User } from '../types.js';
import { findUsers, isUserId } from './users.js';

export interface EdgeDeps {
  readonly log: EventLog;
  readonly postgres: Queryable;
}

/** One change of how a user stands to another: the guard that makes it, and the fact that it is. */
export interface EdgeChange {
  readonly guard: string;
  readonly type: string;
  /** Names both in the guard's arguments and the event. */
  readonly edge: Readonly<Record<string, string>>;
  /** Makes caches forget what was; done again by the projector of the event. */
  readonly forget: () => Promise<unknown>;
}

/**
 * Makes a change that is harmless to repeat; answers the other user as he is afterwards.
 * Codes: ID_INVALID, NOT_FOUND, BLOCKED.
 */
export async function changeEdge(
  deps: EdgeDeps,
  caller: Caller,
  otherId: string,
  change: EdgeChange,
): Promise<Result<User>> {
  const path = ['input', 'userId'];
  if (!isUserId(otherId)) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, path);
  }
  const result = await deps.log.append({
    appends: [
      {
        streamId: `User-${caller.viewer.userId}`,
        expected: 'any',
        events: [{ type: change.type, data: { ...change.edge, version: 1 } }],
      },
    ],
    metadata: metadataOf(caller, caller.correlationId),
    guard: { name: change.guard, args: change.edge },
  });
  if (result.kind === 'refused') {
    return result.code === 'BLOCKED'
      ? refused('BLOCKED', 'One of you has blocked the other', path)
      : refused('NOT_FOUND', 'There is no such user', path);
  }
  if (result.kind !== 'accepted') throw new Error(`${change.guard} was not accepted: ${result.kind}`);
  // It holds for every read once this is answered. The projector does it again, for a process that was killed here.
  await change.forget();
  const [other] = await findUsers(deps, [otherId]);
  return ok(other!);
}

import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog, InlineProjection } from '../../../platform/event-log/index.js';
import type { Queryable } from '../../../platform/postgres.js';
import { appendOf, type FeedEvent } from '../events.js';
import { MAX_USER_ID, type User } from '../types.js';
import { findUsers, isUserId } from './users.js';

export interface RelationDeps {
  readonly log: EventLog;
  readonly postgres: Queryable;
}

/** One change of a user's relation to another: follow, mute, block, or the end of one. */
export interface RelationChange {
  readonly event: FeedEvent;
  readonly inlineProjection: InlineProjection;
  /** Invalidates caches; done again by the projector of the event. */
  readonly invalidate: () => Promise<unknown>;
}

/**
 * Makes a change that is harmless to repeat; answers the other user as they are afterwards.
 * Codes: ID_INVALID, NOT_FOUND, BLOCKED.
 */
export async function changeRelation(
  deps: RelationDeps,
  caller: Caller,
  otherId: string,
  { event, inlineProjection, invalidate }: RelationChange,
): Promise<Result<User>> {
  const path = ['input', 'userId'];
  if (!isUserId(otherId)) {
    return refused('ID_INVALID', `A user id has 1 to ${MAX_USER_ID} characters`, path);
  }
  const result = await deps.log.append({
    appends: [appendOf(event)],
    metadata: metadataOf(caller, caller.correlationId),
    inlineProjection,
  });
  if (result.kind === 'refused') {
    return result.code === 'BLOCKED'
      ? refused('BLOCKED', 'One of you has blocked the other', path)
      : refused('NOT_FOUND', 'There is no such user', path);
  }
  if (result.kind !== 'accepted') throw new Error(`${event.type} was not accepted: ${result.kind}`);
  // Every read after this answer sees the change. The projector invalidates again, for a process that was killed here.
  await invalidate();
  const [other] = await findUsers(deps, [otherId]);
  return ok(other!);
}

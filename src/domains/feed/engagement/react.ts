import { z } from 'zod';
import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { ReactionKind } from '../types.js';
import type { Counts } from './counts.js';

interface Deps {
  readonly log: Pick<EventLog, 'append'>;
  readonly counts: Pick<Counts, 'publish'>;
}

/**
 * Answers a post with a reaction, in place of the caller's earlier one; the same again changes nothing.
 * Codes: NOT_FOUND (no such post, or not the caller's to see), AUTHOR_NOT_FOUND.
 */
export const reactToPost = (
  deps: Deps,
  caller: Caller,
  postId: string,
  kind: ReactionKind,
): Promise<Result<null>> => change(deps, caller, { postId, kind }, 'react_to_post', 'PostReacted');

/**
 * Takes the caller's reaction back, whichever it is or only `kind`, also from a post that is out of his sight by now. Where
 * there is none nothing changes.
 * Codes: NOT_FOUND (there is none, and no such post, or not the caller's to see), AUTHOR_NOT_FOUND.
 */
export const removeReaction = (
  deps: Deps,
  caller: Caller,
  postId: string,
  kind?: ReactionKind,
): Promise<Result<null>> =>
  change(deps, caller, { postId, ...(kind && { kind }) }, 'remove_reaction', 'ReactionRemoved');

async function change(
  deps: Deps,
  caller: Caller,
  reaction: { readonly postId: string; readonly kind?: ReactionKind },
  guard: string,
  type: 'PostReacted' | 'ReactionRemoved',
): Promise<Result<null>> {
  if (!z.uuid().safeParse(reaction.postId).success) return refusedPost('NOT_FOUND');
  const userId = caller.viewer.userId;
  const postId = reaction.postId.toLowerCase();
  const args = { ...reaction, postId, userId };
  const data = type === 'PostReacted' ? { ...args, version: 1 } : { postId, userId, version: 1 };
  const result = await deps.log.append({
    appends: [{ streamId: `Post-${postId}`, expected: 'any', events: [{ type, data }] }],
    metadata: metadataOf(caller, caller.correlationId),
    guard: { name: guard, args },
  });
  if (result.kind === 'refused') return refusedPost(result.code);
  if (result.kind !== 'accepted') throw new Error(`${guard} was not accepted: ${result.kind}`);
  // Every count has it once this is answered. The projector does it again, for a process that was killed here.
  await deps.counts.publish([postId]);
  return ok(null);
}

/** What the guards say of a post, in the words of the API. */
export const refusedPost = (code: string): Result<never> =>
  code === 'NOT_FOUND'
    ? refused('NOT_FOUND', 'There is no such post', ['input', 'postId'])
    : refused(code, 'You have no profile');

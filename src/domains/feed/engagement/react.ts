import { z } from 'zod';
import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog, InlineProjection } from '../../../platform/event-log/index.js';
import { append, type FeedEvent } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import type { ReactionKind } from '../types.js';
import type { Counts } from './counts.js';

interface Deps {
  readonly log: Pick<EventLog, 'append'>;
  readonly counts: Pick<Counts, 'publish'>;
}

/**
 * Reacts to a post, in place of the caller's earlier reaction; the same again changes nothing.
 * Codes: NOT_FOUND (no such post, or the caller may not see it), AUTHOR_NOT_FOUND.
 */
export const reactToPost = (
  deps: Deps,
  caller: Caller,
  postId: string,
  kind: ReactionKind,
): Promise<Result<null>> =>
  change(deps, caller, postId, (reaction) => ({
    event: { type: 'PostReacted', data: { ...reaction, kind, version: 1 } },
    inlineProjection: feedProjections.call('react_to_post', { ...reaction, kind }),
  }));

/**
 * Removes the caller's reaction, whichever it is or only `kind`, also from a post that they may not see any more. Where
 * there is none nothing changes.
 * Codes: NOT_FOUND (there is none, and no such post, or the caller may not see it), AUTHOR_NOT_FOUND.
 */
export const removeReaction = (
  deps: Deps,
  caller: Caller,
  postId: string,
  kind?: ReactionKind,
): Promise<Result<null>> =>
  change(deps, caller, postId, (reaction) => ({
    event: { type: 'ReactionRemoved', data: { ...reaction, version: 1 } },
    inlineProjection: feedProjections.call('remove_reaction', { ...reaction, ...(kind && { kind }) }),
  }));

async function change(
  deps: Deps,
  caller: Caller,
  given: string,
  changeOf: (reaction: { readonly postId: string; readonly userId: string }) => {
    event: FeedEvent;
    inlineProjection: InlineProjection;
  },
): Promise<Result<null>> {
  if (!z.uuid().safeParse(given).success) return refusedPost('NOT_FOUND');
  const postId = given.toLowerCase();
  const { event, inlineProjection } = changeOf({ postId, userId: caller.viewer.userId });
  const result = await append(deps, caller, event, inlineProjection);
  if (result.kind === 'refused') return refusedPost(result.code);
  // Every count has it once this is answered. The projector does it again, for a process that was killed here.
  await deps.counts.publish([postId]);
  return ok(null);
}

/** What inline projections refuse of a post, in the words of the API. */
export const refusedPost = (code: string): Result<never> =>
  code === 'NOT_FOUND'
    ? refused('NOT_FOUND', 'There is no such post', ['input', 'postId'])
    : refused(code, 'You have no profile');

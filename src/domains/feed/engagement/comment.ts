import { z } from 'zod';
import { type Caller, isAdmin, metadataOf, scopedCommandId } from '../../../platform/auth/caller.js';
import { ok, PublicError, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { toStoredText } from '../../../platform/text.js';
import { append, appendOf } from '../events.js';
import { inParts } from '../in-parts.js';
import { feedProjections } from '../inline-projections.js';
import { contentFault, keyFault } from '../posts/faults.js';
import { mentionedIn, mentionsIn } from '../posts/mentions.js';
import { findComment, findReplies } from './comments.js';
import type { Counts } from './counts.js';
import { refusedPost } from './react.js';

/** In characters as a reader counts them. */
const MAX_CONTENT = 2_000;
/** Other commands wait while comments are marked. */
const DELETED_AT_ONCE = 500;
/** How often a conversation is read before its deletion gives up. */
const MOST_ROUNDS = 10;

interface Deps {
  readonly log: Pick<EventLog, 'append'>;
  readonly postgres: Queryable;
  readonly counts: Pick<Counts, 'publish'>;
  readonly ids: Ids;
}

export interface AddCommentInput {
  readonly postId: string;
  readonly content: string;
  /** The comment of the same post that this one replies to. */
  readonly replyToId?: string | null;
  /** The same key within 24 h answers the same comment. */
  readonly idempotencyKey?: string | null;
}

/**
 * Comments on a post, or replies to a comment on it: the row, its count and PostCommented are written together. Answers the
 * comment's id. Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID, IDEMPOTENCY_KEY_INVALID,
 * IDEMPOTENCY_KEY_REUSED, NOT_FOUND, COMMENT_NOT_FOUND, AUTHOR_NOT_FOUND.
 */
export async function addComment(
  deps: Deps,
  caller: Caller,
  input: AddCommentInput,
): Promise<Result<string>> {
  const { idempotencyKey } = input;
  const content = toStoredText(input.content, MAX_CONTENT);
  const fault = contentFault(content, { of: 'comment', most: MAX_CONTENT }) ?? keyFault(idempotencyKey);
  if (fault) return refusedAll([fault]);
  const unknown = idFault(input);
  if (unknown) return unknown;
  const postId = input.postId.toLowerCase();
  const authorId = caller.viewer.userId;
  const commentId = deps.ids.next();
  const commandId = idempotencyKey ? scopedCommandId(caller, 'addComment', idempotencyKey) : commentId;
  const replyTo = input.replyToId ? { replyToId: input.replyToId.toLowerCase() } : {};
  const comment = { commentId, postId, authorId, ...replyTo, ...mentionedIn(mentionsIn(content)) };
  const result = await deps.log.append({
    commandId,
    body: { postId, content: input.content, ...replyTo },
    appends: [appendOf({ type: 'PostCommented', data: { ...comment, version: 1 } })],
    metadata: metadataOf(caller, commandId),
    inlineProjection: feedProjections.call('add_comment', { ...comment, content }),
    value: { commentId },
  });
  switch (result.kind) {
    case 'accepted':
      await deps.counts.publish([postId]);
      return ok(result.value.commentId as string);
    case 'command-id-reused': {
      const path = ['input', 'idempotencyKey'];
      return refused('IDEMPOTENCY_KEY_REUSED', 'This key stands for another comment', path);
    }
    case 'refused':
      return result.code === 'COMMENT_NOT_FOUND'
        ? refusedComment(['input', 'replyToId'])
        : refusedPost(result.code);
    case 'conflict':
      throw new Error('a comment expects nothing of its stream');
  }
}

/**
 * Deletes a comment with all replies below it, for its author, the post's author, or an admin. A long conversation takes
 * several commands, the deepest replies first: none of them blocks the log for long, and what is left after a failure can
 * still be reached. Deleting twice is deleting once. Answers the post's id. Codes: COMMENT_NOT_FOUND (none, or the caller
 * may not see it), FORBIDDEN.
 *
 * @throws PublicError SERVICE_UNAVAILABLE where ten rounds of 5,000 comments did not reach the end, since it is so long or
 *   others keep replying: what is deleted stays deleted, and the same call goes on from there
 */
export async function deleteComment(
  deps: Deps,
  caller: Caller,
  id: string,
  atOnce = DELETED_AT_ONCE,
): Promise<Result<string>> {
  const path = ['input', 'commentId'];
  const commentId = id.toLowerCase();
  const comment = z.uuid().safeParse(commentId).success ? await findComment(deps, commentId) : undefined;
  if (!comment) return refusedComment(path);
  const { postId } = comment;
  const data = { commentId, postId, version: 1 } as const;
  const { userId } = caller.viewer;
  const whole = { commentId, userId, isAdmin: isAdmin(caller), atOnce };
  const deleteWhole = () =>
    append(deps, caller, { type: 'CommentDeleted', data }, feedProjections.call('delete_comment', whole));
  let result = await deleteWhole();
  let roots: readonly string[] = [commentId];
  for (let round = 0; result.kind === 'refused' && result.code === 'THREAD_TOO_LONG'; round += 1) {
    if (round === MOST_ROUNDS) {
      await deps.counts.publish([postId]);
      throw new PublicError('SERVICE_UNAVAILABLE', 'This conversation is long, or still growing: try again');
    }
    const { removable, answered } = await findReplies(deps, roots);
    // Where all comments that were found have replies that were not, the next read begins below them.
    roots = removable.length > 0 ? [commentId] : answered.slice(0, atOnce);
    for (const replies of inParts(removable, atOnce)) {
      const projection = feedProjections.call('delete_replies', { postId, replies });
      const part = await append(deps, caller, { type: 'RepliesDeleted', data }, projection);
      // One of them was answered meanwhile: they are read again.
      if (part.kind === 'refused') break;
    }
    result = await deleteWhole();
  }
  if (result.kind === 'accepted') {
    await deps.counts.publish([postId]);
    return ok(postId);
  }
  return result.code === 'FORBIDDEN'
    ? refused('FORBIDDEN', "Only a comment's author, the post's author and admins delete it", path)
    : refusedComment(path);
}

const refusedComment = (path: readonly string[]): Result<never> =>
  refused('COMMENT_NOT_FOUND', 'There is no such comment', path);

/** A text that is not an id names nothing. */
function idFault({ postId, replyToId }: AddCommentInput): Result<never> | undefined {
  if (!z.uuid().safeParse(postId).success) return refusedPost('NOT_FOUND');
  if (replyToId && !z.uuid().safeParse(replyToId).success) return refusedComment(['input', 'replyToId']);
  return undefined;
}

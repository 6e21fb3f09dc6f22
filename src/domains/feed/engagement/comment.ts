import { z } from 'zod';
import { type Caller, isAdmin, metadataOf, scopedCommandId } from '../../../platform/caller.js';
import { ok, PublicError, type Result, refused } from '../../../platform/errors.js';
import type { EventLog, InlineProjection } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import { isBlank, toStoredText } from '../../../platform/text.js';
import { appendOf } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import { mentionedIn, mentionsIn } from '../posts/mentions.js';
import { findComment, findReplies } from './comments.js';
import type { Counts } from './counts.js';
import { refusedPost } from './react.js';

/** In characters as a reader counts them. */
const MAX_CONTENT = 2_000;
const MAX_IDEMPOTENCY_KEY = 128;
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
  const fault = contentFault(content) ?? keyFault(idempotencyKey) ?? idFault(input);
  if (fault) return fault;
  const postId = input.postId.toLowerCase();
  const authorId = caller.viewer.userId;
  const fresh = deps.ids.next();
  const commandId = idempotencyKey ? scopedCommandId(caller, 'addComment', idempotencyKey) : fresh;
  const replyTo = input.replyToId ? { replyToId: input.replyToId.toLowerCase() } : {};
  const mentioned = mentionedIn(mentionsIn(content));
  const result = await deps.log.append({
    commandId,
    body: { postId, content: input.content, ...replyTo },
    appends: [
      appendOf({
        type: 'PostCommented',
        data: { commentId: fresh, postId, authorId, ...replyTo, ...mentioned, version: 1 },
      }),
    ],
    metadata: metadataOf(caller, commandId),
    inlineProjection: feedProjections.call('add_comment', {
      commentId: fresh,
      postId,
      authorId,
      content,
      ...replyTo,
      ...mentioned,
    }),
    value: { commentId: fresh },
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
  const append = (type: 'CommentDeleted' | 'RepliesDeleted', inlineProjection: InlineProjection) =>
    deps.log.append({
      appends: [appendOf({ type, data: { commentId, postId, version: 1 } })],
      metadata: metadataOf(caller, caller.correlationId),
      inlineProjection,
    });
  const whole = feedProjections.call('delete_comment', {
    commentId,
    userId: caller.viewer.userId,
    isAdmin: isAdmin(caller),
    atOnce,
  });
  let result = await append('CommentDeleted', whole);
  let roots: readonly string[] = [commentId];
  for (let round = 0; result.kind === 'refused' && result.code === 'THREAD_TOO_LONG'; round += 1) {
    if (round === MOST_ROUNDS) {
      await deps.counts.publish([postId]);
      throw new PublicError('SERVICE_UNAVAILABLE', 'This conversation is long, or still growing: try again');
    }
    const { removable, answered } = await findReplies(deps, roots);
    // Where all comments that were found have replies that were not, the next read begins below them.
    roots = removable.length > 0 ? [commentId] : answered.slice(0, atOnce);
    for (let done = 0; done < removable.length; done += atOnce) {
      const replies = removable.slice(done, done + atOnce);
      const part = await append(
        'RepliesDeleted',
        feedProjections.call('delete_replies', { postId, replies }),
      );
      // One of them was answered meanwhile: they are read again.
      if (part.kind === 'refused') break;
    }
    result = await append('CommentDeleted', whole);
  }
  if (result.kind === 'accepted') {
    await deps.counts.publish([postId]);
    return ok(postId);
  }
  if (result.kind !== 'refused') throw new Error(`a comment was not deleted: ${result.kind}`);
  return result.code === 'FORBIDDEN'
    ? refused('FORBIDDEN', "Only a comment's author, the post's author and admins delete it", path)
    : refusedComment(path);
}

const refusedComment = (path: readonly string[]): Result<never> =>
  refused('COMMENT_NOT_FOUND', 'There is no such comment', path);

function contentFault(content: string): Result<never> | undefined {
  const path = ['input', 'content'];
  if (isBlank(content)) return refused('CONTENT_EMPTY', 'A comment needs content', path);
  if (content.length > MAX_CONTENT && [...content].length > MAX_CONTENT)
    return refused('CONTENT_TOO_LONG', `A comment has at most ${MAX_CONTENT} characters`, path);
  if (content.includes('\0') || !content.isWellFormed())
    return refused('CONTENT_INVALID', 'Content must be well-formed text without NUL', path);
  return undefined;
}

function keyFault(key: string | null | undefined): Result<never> | undefined {
  if (key == null) return undefined;
  if (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY && key.isWellFormed() && !key.includes('\0'))
    return undefined;
  const path = ['input', 'idempotencyKey'];
  return refused('IDEMPOTENCY_KEY_INVALID', `A key has 1 to ${MAX_IDEMPOTENCY_KEY} characters`, path);
}

/** A text that is not an id names nothing. */
function idFault({ postId, replyToId }: AddCommentInput): Result<never> | undefined {
  if (!z.uuid().safeParse(postId).success) return refusedPost('NOT_FOUND');
  if (replyToId && !z.uuid().safeParse(replyToId).success) return refusedComment(['input', 'replyToId']);
  return undefined;
}

import { validate as isUuid } from 'uuid';
import type { Caller } from '../../../platform/auth/caller.js';
import { type Result, refused, refusedAll } from '../../../platform/errors.js';
import { toStoredText } from '../../../platform/text.js';
import type { Post, Visibility } from '../types.js';
import { sql } from './commands.sql.js';
import { contentFault, keyFault, MAX_CONTENT, mediaFault } from './faults.js';
import { type NewPostDeps, publish } from './new-post.js';

/**
 * Publishes a post: its row and its PostPublished are written together.
 * Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID, CONTENT_REJECTED, TOO_MANY_MEDIA, MEDIA_NOT_FOUND,
 * MEDIA_FAILED, IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED, AUTHOR_NOT_FOUND; NOT_FOUND where the key's post was
 * deleted since.
 */
export async function publishPost(
  deps: NewPostDeps,
  caller: Caller,
  input: {
    /** May be empty where there are media. */
    readonly content: string;
    /** Uploaded by the author; at most ten. */
    readonly mediaIds?: readonly string[] | null;
    readonly visibility: Visibility;
    /** The same key within 24 h answers the same post. */
    readonly idempotencyKey?: string | null;
  },
): Promise<Result<Post>> {
  const { visibility } = input;
  const content = toStoredText(input.content, MAX_CONTENT);
  const mediaIds = [...new Set(input.mediaIds ?? [])];
  const faults = [
    mediaFault(mediaIds),
    contentFault(content, { mayBeEmpty: mediaIds.length > 0 }),
    keyFault(input.idempotencyKey),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) return refusedAll(faults);
  return publish(deps, caller, {
    operation: 'publishPost',
    body: { content: input.content, visibility, ...(mediaIds.length > 0 && { mediaIds }) },
    idempotencyKey: input.idempotencyKey ?? null,
    content,
    visibility,
    mediaIds,
    shares: null,
  });
}

/**
 * Shares a post: a post of the sharer that shows the other. Sharing a share shares the original. Others share public
 * posts; an author may share all of their own, to those who could see it before.
 * Codes: those of publishPost, NOT_FOUND, NOT_SHAREABLE.
 */
export async function sharePost(
  deps: NewPostDeps,
  caller: Caller,
  input: {
    readonly postId: string;
    /** The sharer's own words, if any. */
    readonly content?: string | null;
    readonly idempotencyKey?: string | null;
  },
): Promise<Result<Post>> {
  const content = toStoredText(input.content ?? '', MAX_CONTENT);
  const faults = [contentFault(content, { mayBeEmpty: true }), keyFault(input.idempotencyKey)].filter(
    (fault) => fault !== undefined,
  );
  if (faults.length > 0) return refusedAll(faults);
  const asked = [input.postId, caller.viewer.userId];
  const [original] = isUuid(input.postId) ? (await deps.postgres.query(sql.findShared, asked)).rows : [];
  if (!original) return refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
  const via = input.postId.toLowerCase();
  // A post that the caller may not see is refused as NOT_FOUND alone: a refusal as spam would show that it exists.
  const checked = original.is_seen ? deps : { ...deps, spamCheck: async () => null };
  return publish(checked, caller, {
    operation: 'sharePost',
    body: { sharedPostId: via, content: input.content ?? '' },
    idempotencyKey: input.idempotencyKey ?? null,
    content,
    visibility: original.visibility,
    mediaIds: [],
    // Whether the sharer may see both is decided by the inline projection that writes the share.
    shares: { postId: original.post_id, via },
  });
}

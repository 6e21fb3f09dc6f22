import type { Caller } from '../../../platform/caller.js';
import { type Result, refusedAll } from '../../../platform/errors.js';
import { toStoredText } from '../../../platform/text.js';
import type { Post, Visibility } from '../types.js';
import { contentFault, keyFault, MAX_CONTENT, mediaFault } from './faults.js';
import { type NewPostDeps, publish } from './new-post.js';

export interface PublishPostInput {
  /** May be empty where there are media. */
  readonly content: string;
  /** Uploaded by the author; at most ten. */
  readonly mediaIds?: readonly string[] | null;
  readonly visibility: Visibility;
  /** The same key within 24 h answers the same post. */
  readonly idempotencyKey?: string | null;
}

/**
 * Publishes a post: its row and its PostPublished are written together.
 * Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID, CONTENT_REJECTED, TOO_MANY_MEDIA, MEDIA_NOT_FOUND,
 * MEDIA_FAILED, IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED, AUTHOR_NOT_FOUND; NOT_FOUND where the key's post was
 * deleted since.
 */
export async function publishPost(
  deps: NewPostDeps,
  caller: Caller,
  input: PublishPostInput,
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

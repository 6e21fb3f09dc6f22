import { validate as isUuid } from 'uuid';
import type { UserError } from '../../../platform/errors.js';
import { hasAtMost, isBlank, isStorable } from '../../../platform/text.js';

/** In characters, as a reader counts them. */
export const MAX_CONTENT = 5_000;
/** Of one post. */
export const MAX_MEDIA = 10;
const MAX_IDEMPOTENCY_KEY = 128;

/** What is wrong with the text of a post or a comment. Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID. */
export function contentFault(
  content: string,
  { of = 'post', most = MAX_CONTENT, mayBeEmpty = false } = {},
): UserError | undefined {
  const fault = (code: string, message: string): UserError => ({ code, message, path: ['input', 'content'] });
  if (!mayBeEmpty && isBlank(content)) return fault('CONTENT_EMPTY', `A ${of} needs content`);
  if (!hasAtMost(content, most)) return fault('CONTENT_TOO_LONG', `A ${of} has at most ${most} characters`);
  if (!isStorable(content)) return fault('CONTENT_INVALID', 'Content must be well-formed text without NUL');
  return undefined;
}

export const NO_SUCH_MEDIA = 'You have uploaded no such file';

/** Before anything is asked: a hundred thousand ids cost no query. Codes: TOO_MANY_MEDIA, MEDIA_NOT_FOUND. */
export function mediaFault(mediaIds: readonly string[]): UserError | undefined {
  if (mediaIds.length > MAX_MEDIA) {
    const message = `A post has at most ${MAX_MEDIA} media`;
    return { code: 'TOO_MANY_MEDIA', message, path: ['input', 'mediaIds'] };
  }
  const index = mediaIds.findIndex((mediaId) => !isUuid(mediaId));
  if (index < 0) return undefined;
  const path = ['input', 'mediaIds', String(index)];
  return { code: 'MEDIA_NOT_FOUND', message: NO_SUCH_MEDIA, path };
}

/** Code: IDEMPOTENCY_KEY_INVALID. */
export function keyFault(key: string | null | undefined): UserError | undefined {
  if (key == null || (key !== '' && hasAtMost(key, MAX_IDEMPOTENCY_KEY) && isStorable(key))) return undefined;
  const message = `A key has 1 to ${MAX_IDEMPOTENCY_KEY} characters`;
  return { code: 'IDEMPOTENCY_KEY_INVALID', message, path: ['input', 'idempotencyKey'] };
}

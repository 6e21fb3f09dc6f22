import type { UserError } from '../../../platform/errors.js';

/** In characters, as a reader counts them. */
export const MAX_CONTENT = 5_000;

/** What is wrong with a text that somebody wrote. Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID. */
export function contentFault(content: string, { mayBeEmpty = false } = {}): UserError | undefined {
  const fault = (code: string, message: string): UserError => ({ code, message, path: ['input', 'content'] });
  if (!mayBeEmpty && content.trim() === '') return fault('CONTENT_EMPTY', 'A post needs content');
  // Characters are not UTF-16 units; but there are never more of them.
  if (content.length > MAX_CONTENT && [...content].length > MAX_CONTENT) {
    return fault('CONTENT_TOO_LONG', `A post has at most ${MAX_CONTENT} characters`);
  }
  if (content.includes('\0') || !content.isWellFormed()) {
    return fault('CONTENT_INVALID', 'Content must be well-formed text without NUL');
  }
  return undefined;
}

import { type Caller, metadataOf, scopedCommandId } from '../../../platform/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { EventLog } from '../../../platform/event-log/index.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Post, Visibility } from '../types.js';
import { findPosts } from './posts.js';

export const MAX_CONTENT = 5_000;
const MAX_IDEMPOTENCY_KEY = 128;

export interface PublishPostInput {
  readonly content: string;
  readonly visibility: Visibility;
  /** The same key within 24 h answers the same post. */
  readonly idempotencyKey?: string | null;
}

/**
 * Publishes a post: its row and its PostPublished are one fact.
 * Codes: CONTENT_EMPTY, CONTENT_TOO_LONG, CONTENT_INVALID, IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_REUSED.
 */
export async function publishPost(
  deps: { log: EventLog; postgres: Queryable; ids: Ids },
  caller: Caller,
  input: PublishPostInput,
): Promise<Result<Post>> {
  const { content, visibility, idempotencyKey } = input;
  const fault = contentFault(content) ?? keyFault(idempotencyKey);
  if (fault) return fault;
  const authorId = caller.viewer.userId;
  const postId = deps.ids.next();
  const commandId = idempotencyKey ? scopedCommandId(caller, 'publishPost', idempotencyKey) : deps.ids.next();
  const result = await deps.log.append({
    commandId,
    body: { content, visibility },
    appends: [
      {
        streamId: `Post-${postId}`,
        expected: 'none',
        events: [{ type: 'PostPublished', data: { postId, authorId, content, visibility, version: 1 } }],
      },
    ],
    metadata: metadataOf(caller, commandId),
    guard: { name: 'publish_post', args: { postId, authorId, content, visibility } },
    value: { postId },
  });
  switch (result.kind) {
    case 'accepted': {
      const published = result.value.postId as string;
      const post = (await findPosts(deps, [published])).get(published);
      return post ? ok(post) : refused('NOT_FOUND', 'The post of this idempotency key is gone');
    }
    case 'command-id-reused':
      return refused('IDEMPOTENCY_KEY_REUSED', 'This key stands for another post', [
        'input',
        'idempotencyKey',
      ]);
    case 'refused':
      return refused(result.code, 'The author has no profile');
    case 'conflict':
      throw new Error(`a new post's stream ${result.streamId} exists`);
  }
}

function contentFault(content: string): Result<never> | undefined {
  const path = ['input', 'content'];
  if (content.trim() === '') return refused('CONTENT_EMPTY', 'A post needs content', path);
  // Characters as a reader counts them, not UTF-16 units.
  if (content.length > MAX_CONTENT && [...content].length > MAX_CONTENT) {
    return refused('CONTENT_TOO_LONG', `A post has at most ${MAX_CONTENT} characters`, path);
  }
  if (content.includes('\0') || !content.isWellFormed()) {
    return refused('CONTENT_INVALID', 'Content must be well-formed text without NUL', path);
  }
  return undefined;
}

function keyFault(key: string | null | undefined): Result<never> | undefined {
  if (
    key == null ||
    (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY && key.isWellFormed() && !key.includes('\0'))
  ) {
    return undefined;
  }
  return refused('IDEMPOTENCY_KEY_INVALID', `A key has 1 to ${MAX_IDEMPOTENCY_KEY} characters`, [
    'input',
    'idempotencyKey',
  ]);
}

import { validate as isUuid } from 'uuid';
import { type Caller, metadataOf } from '../../../platform/caller.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Post } from '../types.js';
import { contentFault } from './faults.js';
import { foundIn, type NewPostDeps } from './new-post.js';
import { sql } from './statements.js';

type Deps = Pick<NewPostDeps, 'log' | 'postgres' | 'posts' | 'spamCheck' | 'contentPolicy'>;

/** Of one post. */
const EDITS_SHOWN = 100;

export interface EditPostInput {
  readonly postId: string;
  readonly content: string;
}

/**
 * Gives the caller's own post another text; the one that it had is kept. The same text changes nothing.
 * Codes: CONTENT_EMPTY (where there are no media either), CONTENT_TOO_LONG, CONTENT_INVALID, CONTENT_REJECTED, NOT_FOUND,
 * FORBIDDEN (another's post).
 */
export async function editPost(deps: Deps, caller: Caller, input: EditPostInput): Promise<Result<Post>> {
  const path = ['input', 'postId'];
  const editorId = caller.viewer.userId;
  const { content } = input;
  const postId = input.postId.toLowerCase();
  const fault = contentFault(content, { mayBeEmpty: true });
  if (fault) return refusedAll([fault]);
  const [current] = isUuid(postId) ? await deps.posts.find([postId]) : [];
  if (!current) return refused('NOT_FOUND', 'There is no such post', path);
  // Of another's post nothing is told before it is known whether he may see it.
  if (current.author.userId === editorId) {
    const isCarried = current.media.length > 0 || current.sharedPostId !== null;
    const empty = contentFault(content, { mayBeEmpty: isCarried });
    if (empty) return refusedAll([empty]);
    const reason = await deps.spamCheck({ authorId: editorId, content, editedPostId: postId });
    if (reason !== null) return refused('CONTENT_REJECTED', reason, ['input', 'content']);
  }
  const result = await deps.log.append({
    appends: [
      {
        streamId: `Post-${postId}`,
        expected: 'any',
        events: [{ type: 'PostEdited', data: { postId, authorId: editorId, content, version: 1 } }],
      },
    ],
    metadata: metadataOf(caller, caller.correlationId),
    guard: { name: 'edit_post', args: { postId, editorId, content, ...foundIn(deps, content) } },
  });
  if (result.kind === 'refused') {
    return result.code === 'FORBIDDEN'
      ? refused('FORBIDDEN', 'This post is not yours', path)
      : refused('NOT_FOUND', 'There is no such post', path);
  }
  if (result.kind !== 'accepted') throw new Error(`an edit was not accepted: ${result.kind}`);
  // Done at once, the editor reads his own write. Where it fails the projector does it again.
  await deps.posts.refresh([postId]).catch(() => undefined);
  const [edited] = await deps.posts.find([postId]);
  return edited ? ok(edited) : refused('NOT_FOUND', 'There is no such post', path);
}

/** What a post said before. */
export interface PostEdit {
  readonly content: string;
  /** When it came to say something else. */
  readonly editedAt: Date;
}

/** What posts said before, the last hundred of each, oldest first, by post id. Whether somebody may see them is not looked at. */
export async function findEdits(
  deps: { postgres: Queryable },
  postIds: readonly string[],
): Promise<Map<string, PostEdit[]>> {
  const { rows } = await deps.postgres.query<{ post_id: string; content: string; edited_at: Date }>(
    sql.findEdits,
    [postIds, EDITS_SHOWN],
  );
  const edits = new Map<string, PostEdit[]>();
  for (const { post_id, content, edited_at } of rows) {
    edits.set(post_id, [...(edits.get(post_id) ?? []), { content, editedAt: edited_at }]);
  }
  return edits;
}

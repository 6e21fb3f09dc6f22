import { validate as isUuid } from 'uuid';
import type { Caller } from '../../../platform/caller.js';
import { type Result, refused, refusedAll } from '../../../platform/errors.js';
import { toStoredText } from '../../../platform/text.js';
import type { Post, Visibility } from '../types.js';
import { contentFault, keyFault, MAX_CONTENT } from './faults.js';
import { type NewPostDeps, publish } from './new-post.js';
import { sql } from './statements.js';

export interface SharePostInput {
  readonly postId: string;
  /** The sharer's own words, if any. */
  readonly content?: string | null;
  readonly idempotencyKey?: string | null;
}

/**
 * Shares a post: a post of the sharer that shows the other. Sharing a share shares the original. Others share public
 * posts; an author may share all of their own, to those who could see it before.
 * Codes: those of publishPost, NOT_FOUND, NOT_SHAREABLE.
 */
export async function sharePost(
  deps: NewPostDeps,
  caller: Caller,
  input: SharePostInput,
): Promise<Result<Post>> {
  const content = toStoredText(input.content ?? '', MAX_CONTENT);
  const faults = [contentFault(content, { mayBeEmpty: true }), keyFault(input.idempotencyKey)].filter(
    (fault) => fault !== undefined,
  );
  if (faults.length > 0) return refusedAll(faults);
  const original = await findShared(deps, caller, input.postId);
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

async function findShared(
  deps: Pick<NewPostDeps, 'postgres'>,
  { viewer }: Caller,
  postId: string,
): Promise<Shared | undefined> {
  if (!isUuid(postId)) return undefined;
  const { rows } = await deps.postgres.query(sql.findShared, [postId, viewer.userId]);
  return rows[0];
}

type Shared = { readonly post_id: string; readonly visibility: Visibility; readonly is_seen: boolean };

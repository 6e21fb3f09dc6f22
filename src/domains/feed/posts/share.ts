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
  /** What the sharer says to it, if anything. */
  readonly content?: string | null;
  readonly idempotencyKey?: string | null;
}

/**
 * Shares a post: a post of the sharer that shows the other. Who shares a share shares the original. Others share what is
 * public; an author may share all that is his own, to those who saw it before.
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
  // What is refused as not there is refused for nothing else: else spam would tell that it is there.
  const checked = original.is_seen ? deps : { ...deps, spamCheck: async () => null };
  return publish(checked, caller, {
    operation: 'sharePost',
    body: { sharedPostId: via, content: input.content ?? '' },
    idempotencyKey: input.idempotencyKey ?? null,
    content,
    visibility: original.visibility,
    mediaIds: [],
    // Whether the sharer may see both is decided in the statement that writes the share.
    shares: { postId: original.post_id, via },
  });
}

async function findShared(
  deps: Pick<NewPostDeps, 'postgres'>,
  { viewer }: Caller,
  postId: string,
): Promise<Shared | undefined> {
  if (!isUuid(postId)) return undefined;
  const { rows } = await deps.postgres.query<Shared>(sql.findShared, [postId, viewer.userId]);
  return rows[0];
}

type Shared = { readonly post_id: string; readonly visibility: Visibility; readonly is_seen: boolean };

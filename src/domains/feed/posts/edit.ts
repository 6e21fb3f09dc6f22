import { validate as isUuid } from 'uuid';
import type { Caller } from '../../../platform/auth/caller.js';
import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { toStoredText } from '../../../platform/text.js';
import { append } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import type { Post } from '../types.js';
import { sql } from './commands.sql.js';
import { contentFault, MAX_CONTENT } from './faults.js';
import { mentionedIn, mentionsIn } from './mentions.js';
import { enqueueLink, foundIn, type NewPostDeps } from './new-post.js';

type Deps = Pick<
  NewPostDeps,
  'log' | 'postgres' | 'posts' | 'spamCheck' | 'contentPolicy' | 'config' | 'queues'
>;

/** Of one post. */
const EDITS_SHOWN = 100;

/**
 * Replaces the text of the caller's own post; the former one is kept. The same text changes nothing.
 * Codes: CONTENT_EMPTY (where there are no media either), CONTENT_TOO_LONG, CONTENT_INVALID, CONTENT_REJECTED, NOT_FOUND,
 * FORBIDDEN (another's post).
 */
export async function editPost(
  deps: Deps,
  caller: Caller,
  input: { readonly postId: string; readonly content: string },
): Promise<Result<Post>> {
  const path = ['input', 'postId'];
  const gone = refused('NOT_FOUND', 'There is no such post', path);
  const editorId = caller.viewer.userId;
  const content = toStoredText(input.content, MAX_CONTENT);
  const postId = input.postId.toLowerCase();
  const fault = contentFault(content, { mayBeEmpty: true });
  if (fault) return refusedAll([fault]);
  const [current] = isUuid(postId) ? await deps.posts.find([postId]) : [];
  if (!current) return gone;
  // Another user's post is refused by the inline projection, which checks whether the caller may see it.
  if (current.author.userId === editorId) {
    const isCarried = current.media.length > 0 || current.sharedPostId !== null;
    const empty = contentFault(content, { mayBeEmpty: isCarried });
    if (empty) return refusedAll([empty]);
    const reason = await deps.spamCheck({ authorId: editorId, content, editedPostId: postId });
    if (reason !== null) return refused('CONTENT_REJECTED', reason, ['input', 'content']);
  }
  const before = new Set(mentionsIn(current.content));
  const mentioned = mentionedIn(mentionsIn(content).filter((userId) => !before.has(userId)));
  const found = foundIn(deps, content);
  const data = { postId, authorId: editorId, content, ...mentioned, version: 1 } as const;
  const projection = feedProjections.call('edit_post', { postId, editorId, content, ...mentioned, ...found });
  const result = await append(deps, caller, { type: 'PostEdited', data }, projection);
  if (result.kind === 'refused')
    return result.code === 'FORBIDDEN' ? refused('FORBIDDEN', 'This post is not yours', path) : gone;
  // No read shows the old text once this is answered. The projector does it again, for a process that was killed here.
  await deps.posts.refresh([postId]);
  if (found.link !== null) void enqueueLink(deps, caller, postId);
  const [edited] = await deps.posts.find([postId]);
  return edited ? ok(edited) : gone;
}

/** An edit of a post. The former text is read separately: see `findEditTexts`. */
export interface PostEdit {
  readonly postId: string;
  /** The log position of the edit. */
  readonly position: string;
  /** When the text was replaced. */
  readonly editedAt: Date;
}

/** The last hundred edits of each post, oldest first, by post id. Whether a viewer may see them is not checked. */
export async function findEdits(
  deps: { postgres: Queryable },
  postIds: readonly string[],
): Promise<Map<string, PostEdit[]>> {
  const { rows } = await deps.postgres.query(sql.findEdits, [postIds, EDITS_SHOWN]);
  const edits = new Map<string, PostEdit[]>(postIds.map((postId) => [postId, []]));
  for (const edit of rows) edits.get(edit.postId)?.push(edit);
  return edits;
}

/** The texts before these edits, in their order; empty where a post is gone meanwhile. */
export async function findEditTexts(
  deps: { postgres: Queryable },
  edits: readonly Pick<PostEdit, 'postId' | 'position'>[],
): Promise<string[]> {
  const { rows } = await deps.postgres.query(sql.findEditTexts, [
    edits.map(({ postId }) => postId),
    edits.map(({ position }) => position),
  ]);
  return rows.map(({ content }) => content ?? '');
}

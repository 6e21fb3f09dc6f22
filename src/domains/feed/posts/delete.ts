import { validate as isUuid } from 'uuid';
import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { append } from '../events.js';
import { feedProjections } from '../inline-projections.js';
import { sql } from './commands.sql.js';
import type { NewPostDeps } from './new-post.js';

type Deps = Pick<NewPostDeps, 'log' | 'postgres' | 'posts' | 'counts'>;

/**
 * Deletes the caller's own post, or as an admin any post: from then on no reader sees it. Deleting twice is deleting
 * once, for as long as the row exists. Answers the post's id. Codes: NOT_FOUND, FORBIDDEN (another's post).
 */
export async function deletePost(deps: Deps, caller: Caller, given: string): Promise<Result<string>> {
  const postId = given.toLowerCase();
  const gone = refused('NOT_FOUND', 'There is no such post', ['input', 'postId']);
  if (!isUuid(postId)) return gone;
  const { rows } = await deps.postgres.query(sql.findAuthor, [postId]);
  const [post] = rows;
  if (!post) return gone;
  const event = { type: 'PostDeleted', data: { postId, authorId: post.user_id, version: 1 } } as const;
  const { userId } = caller.viewer;
  const projection = feedProjections.call('delete_post', { postId, userId, isAdmin: isAdmin(caller) });
  const result = await append(deps, caller, event, projection);
  if (result.kind === 'refused') {
    return result.code === 'FORBIDDEN'
      ? refused('FORBIDDEN', 'This post is not yours', ['input', 'postId'])
      : gone;
  }
  // No read shows it once this is answered. The projectors do it again, for a process that was killed here.
  const shared = post.shared_post_id === null ? [] : [post.shared_post_id];
  await Promise.all([deps.posts.refresh([postId]), deps.counts.publish(shared)]);
  return ok(postId);
}

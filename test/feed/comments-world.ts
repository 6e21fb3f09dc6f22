import type { AddCommentInput } from '../../src/domains/feed/engagement/comment.js';
import type { CommentsOf } from '../../src/domains/feed/engagement/comments.js';
import type { Role } from '../../src/platform/auth/auth.js';
import { callerOf, type EngagementWorld } from './engagement-world.js';

/** What tests of comments do again and again, with one post. */
export function commenting(world: EngagementWorld, post: string) {
  const add = (userId: string, content: string, own: Partial<AddCommentInput> = {}) =>
    world.engagement.addComment(callerOf(userId), { postId: post, content, ...own });
  return {
    add,
    /** Answers the comment's id. */
    async added(userId: string, content: string, replyToId?: string): Promise<string> {
      const result = await add(userId, content, replyToId === undefined ? {} : { replyToId });
      if (!result.ok) throw new Error(JSON.stringify(result.errors));
      return result.value;
    },
    remove: (userId: string, commentId: string, ...roles: Role[]) =>
      world.engagement.deleteComment(callerOf(userId, ...roles), commentId),
    async read(reader: string | null, of: CommentsOf, id: string): Promise<string[]> {
      const viewer = reader === null ? null : callerOf(reader).viewer;
      const page = { limit: 100, direction: 'forward', cursor: null } as const;
      const [found] = await world.engagement.pageComments(viewer, of, [id], page);
      const total = (await world.engagement.countComments(viewer, of, [id])).get(id)?.count ?? 0;
      const contents = found!.edges.map((edge) => edge.node.content);
      if (total !== contents.length)
        throw new Error(`${total} comments are counted, ${contents.length} read`);
      return contents;
    },
    commentCount: async () => (await world.engagement.counts.of([post]))[0]?.comments,
  };
}

import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import {
  type Comment as CommentRecord,
  type Post as PostRecord,
  REACTION_KINDS,
} from '../domains/feed/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { type Result, refused } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import { Post, User } from '../schema/feed.js';
import {
  AddCommentInput,
  AddCommentPayload,
  Comment,
  CommentConnection,
  DeleteCommentInput,
  DeleteCommentPayload,
  LikePostInput,
  LikePostPayload,
  ReactionConnection,
  ReactionCount,
  ReactionKind,
  ReactionsArgs,
  ReactToPostInput,
  ReactToPostPayload,
  RemoveReactionInput,
  RemoveReactionPayload,
  UnlikePostInput,
  UnlikePostPayload,
} from '../schema/feed-engagement.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { showTotal } from './total-count.js';

@Resolver()
export class EngagementResolver {
  @Mutation(() => LikePostPayload, { description: 'Reacts to a post with LIKE.' })
  async likePost(@Arg('input') { postId }: LikePostInput, @Ctx() context: RequestContext) {
    const { engagement } = context.app.feed;
    return withPost(context, postId, await engagement.reactToPost(callerOf(context), postId, 'LIKE'));
  }

  @Mutation(() => UnlikePostPayload, { description: 'Takes a LIKE back. Another kind of reaction stays.' })
  async unlikePost(@Arg('input') { postId }: UnlikePostInput, @Ctx() context: RequestContext) {
    const { engagement } = context.app.feed;
    return withPost(context, postId, await engagement.removeReaction(callerOf(context), postId, 'LIKE'));
  }

  @Mutation(() => ReactToPostPayload, {
    description: 'Reacts to a post. A user has one reaction to a post: a second one replaces the first.',
  })
  async reactToPost(@Arg('input') { postId, kind }: ReactToPostInput, @Ctx() context: RequestContext) {
    const { engagement } = context.app.feed;
    return withPost(context, postId, await engagement.reactToPost(callerOf(context), postId, kind));
  }

  @Mutation(() => RemoveReactionPayload, {
    description: "Takes the caller's reaction back, whatever its kind.",
  })
  async removeReaction(@Arg('input') { postId }: RemoveReactionInput, @Ctx() context: RequestContext) {
    const { engagement } = context.app.feed;
    return withPost(context, postId, await engagement.removeReaction(callerOf(context), postId));
  }

  @Mutation(() => AddCommentPayload, { description: 'Comments on a post, or answers a comment on it.' })
  async addComment(@Arg('input') input: AddCommentInput, @Ctx() context: RequestContext) {
    const added = await context.app.feed.engagement.addComment(callerOf(context), input);
    const comment = added.ok ? await context.loaders.engagement.comment.load(added.value) : null;
    const result = added.ok && !comment ? refusedAsGone : added;
    return { ...(await withPost(context, input.postId, result)), comment };
  }

  @Mutation(() => DeleteCommentPayload, {
    description: "Deletes a comment and all answers to it. For its author, the post's author and admins.",
  })
  async deleteComment(
    @Arg('input') { commentId }: DeleteCommentInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteCommentPayload> {
    const deleted = await context.app.feed.engagement.deleteComment(callerOf(context), commentId);
    if (!deleted.ok)
      return { deletedCommentId: null, deletedId: null, post: null, userErrors: deleted.errors };
    const deletedCommentId = commentId.toLowerCase();
    return {
      ...(await withPost(context, deleted.value, deleted)),
      deletedCommentId,
      deletedId: toGlobalId('Comment', deletedCommentId),
    };
  }
}

/** What an idempotency key stands for may have been deleted since, or be out of the caller's sight. */
const refusedAsGone = refused('COMMENT_NOT_FOUND', 'The comment of this idempotency key is gone');

/** The post as it is after the command, with the caller's own doing counted. */
async function withPost(context: RequestContext, id: string, result: Result<unknown>) {
  if (!result.ok) return { post: null, userErrors: result.errors };
  const postId = id.toLowerCase();
  context.loaders.engagement.viewerReaction.clear(postId);
  return { post: await context.loaders.post.clear(postId).load(postId), userErrors: [] };
}

@Resolver(() => Post)
export class PostEngagementResolver {
  @FieldResolver(() => [ReactionCount], {
    description: 'How often each kind of reaction was used; kinds that nobody used are left out.',
  })
  reactionCounts(@Root() post: PostRecord): ReactionCount[] {
    return REACTION_KINDS.map((kind) => ({ kind, count: post.reactionCounts[kind] })).filter(
      ({ count }) => count > 0,
    );
  }

  @FieldResolver(() => ReactionKind, {
    nullable: true,
    description: 'How the viewer reacted. Null where they did not.',
  })
  viewerReaction(@Root() post: PostRecord, @Ctx() context: RequestContext) {
    return context.loaders.engagement.viewerReaction.load(post.postId);
  }

  @FieldResolver(() => Boolean, { description: "Whether the viewer's reaction is LIKE." })
  async viewerHasLiked(@Root() post: PostRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.engagement.viewerReaction.load(post.postId)) === 'LIKE';
  }

  @FieldResolver(() => ReactionConnection, {
    description:
      'Who reacted, newest first. Users whom a block hides from the viewer are counted and not listed.',
  })
  async reactions(
    @Root() post: PostRecord,
    @Args(() => ReactionsArgs) { kind, ...paging }: ReactionsArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.loaders.engagement
      .reactions(kind ?? null)
      .load(post.postId, readPaging(paging));
    return {
      ...page,
      edges: page.edges.map(({ cursor, node }) => ({ cursor, kind: node.kind, node: node.user })),
    };
  }

  @FieldResolver(() => CommentConnection, {
    description: 'The comments on the post itself, oldest first; `last: 20` reads the newest 20.',
  })
  async comments(
    @Root() post: PostRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const { comments, commentTotal } = context.loaders.engagement;
    const page = await comments.load(post.postId, readPaging(args));
    return { ...page, total: () => commentTotal.load(post.postId) };
  }
}

@Resolver(() => Comment)
export class CommentResolver {
  @FieldResolver(() => User, { description: 'Who wrote it.' })
  author(@Root() comment: CommentRecord, @Ctx() context: RequestContext) {
    return context.loaders.user.load(comment.authorId);
  }

  @FieldResolver(() => CommentConnection, { description: 'The answers to this comment, oldest first.' })
  async replies(
    @Root() comment: CommentRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const { replies, replyTotal } = context.loaders.engagement;
    const page = await replies.load(comment.commentId, readPaging(args));
    return { ...page, total: () => replyTotal.load(comment.commentId) };
  }
}

export const engagementResolvers = [
  EngagementResolver,
  PostEngagementResolver,
  CommentResolver,
  showTotal(
    CommentConnection,
    'How many comments of this list the viewer may see, on all pages together: exact up to 10,000. An estimate beyond counts those of blocked people too.',
  ),
] as const;

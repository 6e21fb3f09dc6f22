import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { PostEdit as PostEditRecord, Post as PostRecord } from '../domains/feed/index.js';
import { callerOf } from '../platform/caller.js';
import { Post } from '../schema/feed.js';
import { Media } from '../schema/feed-media.js';
import {
  DeletePostInput,
  DeletePostPayload,
  EditPostInput,
  EditPostPayload,
  PostEdit,
  SharePostInput,
  SharePostPayload,
} from '../schema/feed-posts.js';
import { toPayload } from './payload.js';

@Resolver(() => Post)
export class PostsResolver {
  @Mutation(() => EditPostPayload)
  async editPost(@Arg('input') input: EditPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.editPost(callerOf(context), input));
  }

  @Mutation(() => DeletePostPayload)
  async deletePost(@Arg('input') input: DeletePostInput, @Ctx() context: RequestContext) {
    return toPayload('deletedPostId', await context.app.feed.deletePost(callerOf(context), input.postId));
  }

  @Mutation(() => SharePostPayload, { description: 'A share of a share shares the original.' })
  async sharePost(@Arg('input') input: SharePostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.sharePost(callerOf(context), input));
  }

  @FieldResolver(() => [Media])
  media(@Root() post: PostRecord): PostRecord['media'] {
    return post.media;
  }

  @FieldResolver(() => Post, {
    nullable: true,
    description:
      'The post that this one shares; null where it shares none, or one that the viewer cannot see.',
  })
  sharedPost(
    @Root() post: PostRecord,
    @Ctx() context: RequestContext,
  ): Promise<PostRecord | null> | PostRecord | null {
    return post.sharedPostId === null ? null : context.loaders.post.load(post.sharedPostId);
  }

  @FieldResolver(() => [PostEdit], {
    description: 'What it said before, oldest first: the last hundred texts.',
  })
  edits(
    @Root() post: PostRecord,
    @Ctx() context: RequestContext,
  ): Promise<readonly PostEditRecord[]> | readonly PostEditRecord[] {
    return post.editedAt === null ? [] : context.loaders.postEdits.load(post.postId);
  }
}

export const postsResolvers = [PostsResolver] as const;

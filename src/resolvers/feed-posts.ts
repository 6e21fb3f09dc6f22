import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { PostEdit as PostEditRecord, Post as PostRecord } from '../domains/feed/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { Post } from '../schema/feed.js';
import {
  DeletePostInput,
  DeletePostPayload,
  EditPostInput,
  EditPostPayload,
  LinkPreview,
  PostEdit,
  SharePostInput,
  SharePostPayload,
} from '../schema/feed-posts.js';
import { toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';

@Resolver(() => Post)
export class PostsResolver {
  @Mutation(() => EditPostPayload, {
    description: "Gives a post of the caller's another text. The earlier one stays in `edits`.",
  })
  async editPost(@Arg('input') input: EditPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.editPost(callerOf(context), input));
  }

  @Mutation(() => DeletePostPayload, {
    description: "Deletes a post of the caller's, or any as an admin. Deleting it again is harmless.",
  })
  async deletePost(@Arg('input') input: DeletePostInput, @Ctx() context: RequestContext) {
    const deleted = await context.app.feed.deletePost(callerOf(context), input.postId);
    const deletedId = deleted.ok ? toGlobalId('Post', deleted.value) : null;
    return { ...toPayload('deletedPostId', deleted), deletedId };
  }

  @Mutation(() => SharePostPayload, {
    description: 'Publishes a post that shares another one. Sharing a share shares the original.',
  })
  async sharePost(@Arg('input') input: SharePostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.sharePost(callerOf(context), input));
  }

  @FieldResolver(() => Post, {
    nullable: true,
    description:
      'The post that this one shares. Null where it shares none, or one that the viewer may not see.',
  })
  sharedPost(@Root() post: PostRecord, @Ctx() context: RequestContext) {
    return post.sharedPostId === null ? null : context.loaders.post.load(post.sharedPostId);
  }

  @FieldResolver(() => LinkPreview, {
    nullable: true,
    description:
      'What its first link leads to. Null where it has none, where nothing can be shown of it, and until it was fetched.',
  })
  linkPreview(@Root() post: PostRecord, @Ctx() context: RequestContext) {
    return post.content.includes('://') ? context.loaders.linkPreview.load(post.postId) : null;
  }

  @FieldResolver(() => [PostEdit], {
    description: 'Its earlier texts, oldest first: the last 100.',
  })
  edits(@Root() post: PostRecord, @Ctx() context: RequestContext) {
    return post.editedAt === null ? [] : context.loaders.postEdits.load(post.postId);
  }
}

@Resolver(() => PostEdit)
export class PostEditResolver {
  // A hundred of these texts may be long: they are read where they are asked for, and paid for.
  @FieldResolver(() => String, { description: 'The text as it was.' })
  content(@Root() edit: PostEditRecord, @Ctx() { loaders }: RequestContext) {
    return loaders.editTexts.load(edit);
  }
}

export const postsResolvers = [PostsResolver, PostEditResolver] as const;

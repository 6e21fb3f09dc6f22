import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FeedUpdate as FeedUpdateRecord } from '../domains/feed/index.js';
import { callerOf } from '../platform/auth/caller.js';
import {
  FeedUpdate,
  Post,
  PublishPostInput,
  PublishPostPayload,
  UpsertProfileInput,
  UpsertProfilePayload,
  User,
} from '../schema/feed.js';
import { Media } from '../schema/feed-media.js';
import { toPayload } from './payload.js';

@Resolver()
export class FeedResolver {
  @Query(() => User, { nullable: true, description: 'The signed-in user. Null without a token.' })
  me(@Ctx() context: RequestContext) {
    return context.viewer && context.loaders.user.load(context.viewer.userId);
  }

  @Query(() => User, { nullable: true, description: 'A user. Null where there is none.' })
  user(@Arg('userId', () => ID) userId: string, @Ctx() context: RequestContext) {
    return context.loaders.user.load(userId);
  }

  @Query(() => Post, {
    nullable: true,
    description: 'A post. Null where there is none, and where the caller may not see it.',
  })
  post(@Arg('postId', () => ID) postId: string, @Ctx() context: RequestContext) {
    return context.loaders.post.load(postId);
  }

  @Query(() => Media, {
    nullable: true,
    description:
      'An image or a video, for its owner and for users who may see a post with it. Null for others.',
  })
  media(@Arg('mediaId', () => ID) mediaId: string, @Ctx() context: RequestContext) {
    return context.loaders.media.load(mediaId);
  }

  @Mutation(() => UpsertProfilePayload, {
    description: "Sets the caller's own profile. An absent field stays as it is, null clears it.",
  })
  async upsertProfile(@Arg('input') input: UpsertProfileInput, @Ctx() context: RequestContext) {
    const { displayName, avatarUrl } = input;
    const profile = { displayName, ...(avatarUrl !== undefined && { avatarUrl: avatarUrl?.href ?? null }) };
    return toPayload('user', await context.app.feed.upsertProfile(callerOf(context), profile));
  }

  @Mutation(() => PublishPostPayload, {
    description: "Publishes a post. It comes to the feeds of the author's followers.",
  })
  async publishPost(@Arg('input') input: PublishPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.publishPost(callerOf(context), input));
  }

  @Subscription(() => FeedUpdate, {
    description: "Posts as they come to the viewer's feed.",
    subscribe: ({ context, args }: { context: RequestContext; args: { after?: string | null } }) =>
      context.app.feed.feedUpdates(context.hub, callerOf(context).viewer, args.after ?? null),
  })
  feedUpdated(
    @Root() update: FeedUpdate,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): FeedUpdate {
    return update;
  }
}

@Resolver(() => FeedUpdate)
export class FeedUpdateResolver {
  @FieldResolver(() => Post, {
    nullable: true,
    description:
      'The post as it is now. Null where it was deleted since, or the reader may not see it any more.',
  })
  post(@Root() update: FeedUpdateRecord, @Ctx() context: RequestContext) {
    return context.loaders.post.load(update.postId);
  }

  // Asked at every update: a loader would keep the first answer for as long as the subscription lasts.
  @FieldResolver(() => Int, {
    description: 'How many posts of the feed are newer than the read marker; 500 stands for 500 or more.',
  })
  async newerThanReadMarker(@Root() update: FeedUpdateRecord, @Ctx() context: RequestContext) {
    const markers = await context.app.feed.markers.of([update.userId]);
    return markers.get(update.userId)!.newer;
  }
}

export const feedResolvers = [FeedResolver, FeedUpdateResolver] as const;

/** How `node` finds the feed's objects. */
export const feedNodes = {
  User: (rawId: string, context: RequestContext) => context.loaders.user.load(rawId),
  Post: (rawId: string, context: RequestContext) => context.loaders.post.load(rawId),
  Media: (rawId: string, context: RequestContext) => context.loaders.media.load(rawId),
  Comment: (rawId: string, context: RequestContext) => context.loaders.engagement.comment.load(rawId),
};

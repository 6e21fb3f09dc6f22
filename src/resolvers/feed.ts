import { Arg, Ctx, ID, Mutation, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import {
  FeedUpdate,
  Post,
  PublishPostInput,
  PublishPostPayload,
  UpsertProfileInput,
  UpsertProfilePayload,
  User,
} from '../schema/feed.js';
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
      context.app.feed.feedUpdates(context.hub, callerOf(context).viewer, args.after ?? null, context.signal),
  })
  feedUpdated(
    @Root() update: FeedUpdate,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): FeedUpdate {
    return update;
  }
}

export const feedResolvers = [FeedResolver] as const;

/** How `node` finds the feed's objects. */
export const feedNodes = {
  User: (rawId: string, context: RequestContext) => context.loaders.user.load(rawId),
  Post: (rawId: string, context: RequestContext) => context.loaders.post.load(rawId),
};

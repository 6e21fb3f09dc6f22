import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { User as UserRecord } from '../domains/feed/index.js';
import { callerOf } from '../platform/caller.js';
import type { Result } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import { PostConnection, User, UserConnection } from '../schema/feed.js';
import {
  BlockUserInput,
  BlockUserPayload,
  FollowUserInput,
  FollowUserPayload,
  MuteUserInput,
  MuteUserPayload,
  SetCloseFriendInput,
  SetCloseFriendPayload,
  SetMutedKeywordsInput,
  SetMutedKeywordsPayload,
  UnblockUserInput,
  UnblockUserPayload,
  UnfollowUserInput,
  UnfollowUserPayload,
  UnmuteUserInput,
  UnmuteUserPayload,
} from '../schema/feed-graph.js';
import { PagingArgs, toGlobalId } from '../schema/relay.js';
import { toPayload } from './payload.js';

/** What was looked up before the change, in the same operation, is looked up again. */
async function changed(context: RequestContext, userId: string, change: Promise<Result<UserRecord>>) {
  const result = await change;
  context.loaders.relation.clear(userId);
  context.loaders.user.clear(userId);
  return toPayload('user', result);
}

/** What changes how the caller stands to others. */
@Resolver()
export class GraphCommandResolver {
  @Mutation(() => FollowUserPayload)
  followUser(@Arg('input') input: FollowUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.followUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnfollowUserPayload)
  unfollowUser(@Arg('input') input: UnfollowUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unfollowUser(callerOf(context), input.userId));
  }

  @Mutation(() => MuteUserPayload, {
    description: 'His posts and reshares leave your feed; he does not notice.',
  })
  muteUser(@Arg('input') input: MuteUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.muteUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnmuteUserPayload)
  unmuteUser(@Arg('input') input: UnmuteUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unmuteUser(callerOf(context), input.userId));
  }

  @Mutation(() => BlockUserPayload, {
    description: 'Neither sees what the other writes. Follows stay, without effect until you unblock.',
  })
  blockUser(@Arg('input') input: BlockUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.blockUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnblockUserPayload)
  unblockUser(@Arg('input') input: UnblockUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unblockUser(callerOf(context), input.userId));
  }

  @Mutation(() => SetCloseFriendPayload, {
    description: 'You hear of each new post of a close friend (configurable). Somebody whom you follow.',
  })
  async setCloseFriend(@Arg('input') input: SetCloseFriendInput, @Ctx() context: RequestContext) {
    return toPayload('user', await context.app.feed.setCloseFriend(callerOf(context), input));
  }

  @Mutation(() => SetMutedKeywordsPayload, {
    description: 'Replaces the keywords that keep posts out of your feed.',
  })
  async setMutedKeywords(
    @Arg('input') input: SetMutedKeywordsInput,
    @Ctx() context: RequestContext,
  ): Promise<SetMutedKeywordsPayload> {
    const caller = callerOf(context);
    const result = await context.app.feed.setMutedKeywords(caller, input.keywords);
    if (result.ok) return { keywords: result.value, userErrors: [] };
    const keywords = await context.app.feed.findMutedKeywords(caller.viewer.userId);
    return { keywords, userErrors: result.errors };
  }
}

@Resolver()
export class GraphQueryResolver {
  @Query(() => UserConnection, {
    nullable: true,
    description:
      'People whose id or display name starts with `query`, whatever its case: ids first. `totalCount` stops at 1,000.',
  })
  searchUsers(
    @Arg('query', () => String) query: string,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return context.app.feed.searchUsers(callerOf(context).viewer, query, readPaging(args));
  }

  @Query(() => UserConnection, { nullable: true, description: 'Whom you mute, the latest first.' })
  mutedUsers(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.app.feed.pageOwnList('muted', callerOf(context).viewer, readPaging(args));
  }

  @Query(() => UserConnection, { nullable: true, description: 'Whom you block, the latest first.' })
  blockedUsers(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.app.feed.pageOwnList('blocked', callerOf(context).viewer, readPaging(args));
  }

  @Query(() => [String], { nullable: true, description: 'The keywords that keep posts out of your feed.' })
  mutedKeywords(@Ctx() context: RequestContext): Promise<readonly string[]> {
    return context.app.feed.findMutedKeywords(callerOf(context).viewer.userId);
  }
}

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => ID)
  id(@Root() user: UserRecord): string {
    return toGlobalId('User', user.userId);
  }

  @FieldResolver(() => Boolean)
  async viewerFollows(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerFollows;
  }

  @FieldResolver(() => Boolean)
  async followsViewer(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).followsViewer;
  }

  @FieldResolver(() => Boolean)
  async viewerMutes(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerMutes;
  }

  @FieldResolver(() => Boolean)
  async viewerBlocks(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerBlocks;
  }

  @FieldResolver(() => PostConnection)
  posts(@Root() user: UserRecord, @Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.loaders.authorPosts.load(user.userId, readPaging(args));
  }

  @FieldResolver(() => UserConnection, {
    description: 'Without whom a block keeps from you; `totalCount` counts them too.',
  })
  async followers(
    @Root() user: UserRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.loaders.followers.load(user.userId, readPaging(args));
    return { ...page, totalCount: user.followerCount };
  }

  @FieldResolver(() => UserConnection, {
    description: 'Without whom a block keeps from you; `totalCount` counts them too.',
  })
  async following(
    @Root() user: UserRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.loaders.following.load(user.userId, readPaging(args));
    return { ...page, totalCount: user.followingCount };
  }
}

export const graphResolvers = [GraphCommandResolver, GraphQueryResolver, UserResolver] as const;

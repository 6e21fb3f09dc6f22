import { Arg, Args, Authorized, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { User as UserRecord } from '../domains/feed/index.js';
import { callerOf } from '../platform/auth/caller.js';
import type { Result } from '../platform/errors.js';
import { readPaging } from '../platform/paging.js';
import { exactly } from '../platform/totals.js';
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
  SetVerifiedInput,
  SetVerifiedPayload,
  UnblockUserInput,
  UnblockUserPayload,
  UnfollowUserInput,
  UnfollowUserPayload,
  UnmuteUserInput,
  UnmuteUserPayload,
} from '../schema/feed-graph.js';
import { PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { subjectOf, WHOSE } from './subject.js';
import { countedOnce, showTotal } from './total-count.js';

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
  @Mutation(() => FollowUserPayload, {
    description:
      "Follows a user: their posts come to the caller's feed, older ones too. Following twice is following once.",
  })
  followUser(@Arg('input') input: FollowUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.followUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnfollowUserPayload, {
    description: 'Stops following a user. Harmless where the caller did not.',
  })
  unfollowUser(@Arg('input') input: UnfollowUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unfollowUser(callerOf(context), input.userId));
  }

  @Mutation(() => MuteUserPayload, {
    description: "Keeps a user's posts and shares out of the caller's feed. The user is not notified.",
  })
  muteUser(@Arg('input') input: MuteUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.muteUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnmuteUserPayload, { description: "Shows a user's posts in the caller's feed again." })
  unmuteUser(@Arg('input') input: UnmuteUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unmuteUser(callerOf(context), input.userId));
  }

  @Mutation(() => BlockUserPayload, {
    description:
      'Hides two users from each other: neither sees what the other writes. Follows between them stay, and have no effect until the block ends.',
  })
  blockUser(@Arg('input') input: BlockUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.blockUser(callerOf(context), input.userId));
  }

  @Mutation(() => UnblockUserPayload, { description: 'Ends a block by the caller.' })
  unblockUser(@Arg('input') input: UnblockUserInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.unblockUser(callerOf(context), input.userId));
  }

  @Mutation(() => SetCloseFriendPayload, {
    description: 'Says whether the caller is notified of each new post of somebody whom they follow.',
  })
  async setCloseFriend(@Arg('input') input: SetCloseFriendInput, @Ctx() context: RequestContext) {
    return toPayload('user', await context.app.feed.setCloseFriend(callerOf(context), input));
  }

  @Authorized('admin')
  @Mutation(() => SetVerifiedPayload, {
    description:
      'Admin: says whether a user is who they say they are. Shown as `isVerified`. Codes: ID_INVALID, NOT_FOUND.',
  })
  setVerified(@Arg('input') input: SetVerifiedInput, @Ctx() context: RequestContext) {
    return changed(context, input.userId, context.app.feed.setVerified(input));
  }

  @Mutation(() => SetMutedKeywordsPayload, {
    description: "Replaces the keywords that keep posts out of the caller's feed.",
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

/** A page of a list that a user keeps for themselves. */
const ownList = (
  context: RequestContext,
  list: 'muted' | 'blocked' | 'closeFriends',
  userId: string | null,
  args: PagingArgs,
) => context.app.feed.pageOwnList(list, { userId: subjectOf(context, userId) }, readPaging(args));

@Resolver()
export class GraphQueryResolver {
  @Query(() => UserConnection, {
    nullable: true,
    description:
      'Users whose id or display name starts with `query`, in upper or lower case: matches of ids first. `totalCount` is exact up to 1,000.',
  })
  async searchUsers(
    @Arg('query', () => String, { description: '1 to 100 characters.' }) query: string,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    return countedOnce(await context.app.feed.searchUsers(callerOf(context).viewer, query, readPaging(args)));
  }

  @Query(() => UserConnection, {
    nullable: true,
    description: 'Whom a user has muted, the latest first.',
  })
  async mutedUsers(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return countedOnce(await ownList(context, 'muted', userId, args));
  }

  @Query(() => UserConnection, {
    nullable: true,
    description: 'Whom a user has blocked, the latest first.',
  })
  async blockedUsers(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return countedOnce(await ownList(context, 'blocked', userId, args));
  }

  @Query(() => UserConnection, {
    description:
      "A user's close friends: people whom they follow and of whose every new post they are notified. The latest first.",
  })
  async closeFriends(
    @Args(() => PagingArgs) args: PagingArgs,
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
  ) {
    return countedOnce(await ownList(context, 'closeFriends', userId, args));
  }

  @Query(() => [String], {
    nullable: true,
    description: "The keywords that keep posts out of a user's feed.",
  })
  mutedKeywords(@Arg('userId', () => ID, WHOSE) userId: string | null, @Ctx() context: RequestContext) {
    return context.app.feed.findMutedKeywords(subjectOf(context, userId));
  }
}

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Boolean, {
    description: 'Whether the viewer follows them. False while one blocks the other.',
  })
  async viewerFollows(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerFollows;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether they follow the viewer. False while one blocks the other.',
  })
  async followsViewer(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).followsViewer;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the viewer has muted them.' })
  async viewerMutes(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerMutes;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether the viewer has blocked them. Whether they block the viewer is never shown.',
  })
  async viewerBlocks(@Root() user: UserRecord, @Ctx() context: RequestContext): Promise<boolean> {
    return (await context.loaders.relation.load(user.userId)).viewerBlocks;
  }

  @FieldResolver(() => PostConnection, { description: 'Their posts that the viewer may see, newest first.' })
  posts(@Root() user: UserRecord, @Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    return context.loaders.authorPosts.load(user.userId, readPaging(args));
  }

  @FieldResolver(() => UserConnection, {
    description:
      'Who follows them, newest first, without those whom a block hides from the viewer. `totalCount` includes the hidden ones.',
  })
  async followers(
    @Root() user: UserRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.loaders.followers.load(user.userId, readPaging(args));
    return { ...page, total: async () => exactly(user.followerCount) };
  }

  @FieldResolver(() => UserConnection, {
    description:
      'Whom they follow, newest first, without those whom a block hides from the viewer. `totalCount` includes the hidden ones.',
  })
  async following(
    @Root() user: UserRecord,
    @Args(() => PagingArgs) args: PagingArgs,
    @Ctx() context: RequestContext,
  ) {
    const page = await context.loaders.following.load(user.userId, readPaging(args));
    return { ...page, total: async () => exactly(user.followingCount) };
  }
}

export const graphResolvers = [
  GraphCommandResolver,
  GraphQueryResolver,
  UserResolver,
  showTotal(
    UserConnection,
    'How many users the list has: exact up to 10,000, in `searchUsers` up to 1,000. Lists of followers count hidden ones too, and are always exact.',
  ),
] as const;

import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Args,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FeedRequest, ReadMarker } from '../domains/feed/index.js';
import { callerOf } from '../platform/auth/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  FeedArgs,
  FeedConnection,
  MarkFeedReadInput,
  MarkFeedReadPayload,
  SponsoredPostConnection,
  SponsorPostInput,
  SponsorPostPayload,
  UnsponsorPostInput,
  UnsponsorPostPayload,
} from '../schema/feed-read.js';
import { RecordSignalsInput, RecordSignalsPayload } from '../schema/feed-signals.js';
import { PagingArgs } from '../schema/relay.js';
import { toPayload } from './payload.js';
import { isSelected } from './selected.js';
import { isOfAnother, subjectOf, WHOSE } from './subject.js';
import { countedOnce, showTotal } from './total-count.js';

@Resolver()
export class FeedReadResolver {
  @Query(() => FeedConnection, {
    nullable: true,
    description:
      "A user's home feed. Both orders visit every post exactly once; RANKED reads forward only. Looking at another user's changes nothing of it; fields of its posts that depend on the viewer are the caller's.",
  })
  feed(
    @Args(() => FeedArgs) { order, ...paging }: FeedArgs,
    @Arg('userId', () => ID, WHOSE) userId: string | null,
    @Ctx() context: RequestContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { degraded } = context;
    const reader = { userId: subjectOf(context, userId) };
    const request = { order, page: readPaging(paging), degraded };
    if (isOfAnother(context, reader.userId)) return lookAtFeed(context, reader, request);
    const withLiveCursor = isSelected(info, 'liveCursor');
    return context.app.feed.readFeed(reader, { ...request, withLiveCursor });
  }

  @Authorized('admin')
  @Query(() => SponsoredPostConnection, {
    nullable: true,
    description:
      'Admin: the posts that are, were or will be shown as sponsored, those that start last first.',
  })
  async sponsoredPosts(@Args(() => PagingArgs) args: PagingArgs, @Ctx() context: RequestContext) {
    const page = await context.app.feed.sponsored.page(readPaging(args));
    const edges = page.edges.map(({ cursor, node: { post, ...times } }) => ({
      cursor,
      ...times,
      node: post,
    }));
    return countedOnce({ ...page, edges });
  }

  @Mutation(() => MarkFeedReadPayload, {
    description: "Moves the viewer's read marker; it never moves back.",
  })
  async markFeedRead(@Arg('input') { cursor }: MarkFeedReadInput, @Ctx() context: RequestContext) {
    const { viewer } = callerOf(context);
    return toPayload('readMarker', await context.app.feed.markers.mark(viewer, cursor));
  }

  @Mutation(() => RecordSignalsPayload, {
    description:
      'Records what the viewer did with posts and people, which ranks their feed. Repeats within a minute count once.',
  })
  async recordSignals(
    @Arg('input') { signals }: RecordSignalsInput,
    @Ctx() context: RequestContext,
  ): Promise<RecordSignalsPayload> {
    const result = await context.app.feed.ranking.recordSignals(callerOf(context).viewer.userId, signals);
    return result.ok
      ? { recorded: result.value, userErrors: [] }
      : { recorded: 0, userErrors: result.errors };
  }

  @Authorized('admin')
  @Mutation(() => SponsorPostPayload, {
    description: 'Admin: shows a post at positions 3, 8 and 15 of feeds, from `startsAt` to `endsAt`.',
  })
  async sponsorPost(@Arg('input') input: SponsorPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.sponsored.sponsor(callerOf(context), input));
  }

  @Authorized('admin')
  @Mutation(() => UnsponsorPostPayload, { description: 'Admin: ends the sponsoring of a post.' })
  async unsponsorPost(@Arg('input') { postId }: UnsponsorPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.sponsored.unsponsor(postId));
  }
}

/** Another user's feed: its marker is theirs too. */
async function lookAtFeed(context: RequestContext, reader: { userId: string }, request: FeedRequest) {
  return { ...(await context.app.feed.lookAtFeed(reader, request)), readerId: reader.userId };
}

@Resolver(() => FeedConnection)
export class FeedConnectionResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The cursor up to which its reader has read. Null where they never marked one.',
  })
  async readMarker(@Root() page: FeedConnection, @Ctx() context: RequestContext): Promise<string | null> {
    return (await markerOf(page, context)).cursor;
  }

  @FieldResolver(() => Int, {
    description: 'How many posts of the feed are newer than the read marker; 500 stands for 500 or more.',
  })
  async newerThanReadMarker(@Root() page: FeedConnection, @Ctx() context: RequestContext): Promise<number> {
    return (await markerOf(page, context)).newer;
  }
}

const markerOf = ({ readerId }: FeedConnection, context: RequestContext): Promise<ReadMarker> =>
  context.loaders.readMarker.load(readerId ?? callerOf(context).viewer.userId);

export const feedReadResolvers = [
  FeedReadResolver,
  FeedConnectionResolver,
  showTotal(SponsoredPostConnection, 'How many there are, on all pages together: exact up to 10,000.'),
] as const;

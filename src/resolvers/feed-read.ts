import { Arg, Args, Authorized, Ctx, FieldResolver, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FeedPage, ReadMarker } from '../domains/feed/index.js';
import { callerOf } from '../platform/caller.js';
import { readPaging } from '../platform/paging.js';
import {
  FeedArgs,
  FeedConnection,
  MarkFeedReadInput,
  MarkFeedReadPayload,
  SponsorPostInput,
  SponsorPostPayload,
  UnsponsorPostInput,
  UnsponsorPostPayload,
} from '../schema/feed-read.js';
import { toPayload } from './payload.js';

@Resolver()
export class FeedReadResolver {
  @Query(() => FeedConnection, {
    nullable: true,
    description:
      "The viewer's home feed. RANKED orders inside each candidate window; both orders visit every eligible post exactly once. " +
      'RANKED pages forward only.',
  })
  feed(
    @Args(() => FeedArgs) { order, ...paging }: FeedArgs,
    @Ctx() context: RequestContext,
  ): Promise<FeedPage> {
    const { viewer } = callerOf(context);
    const { degraded } = context;
    return context.app.feed.readFeed(viewer, { order, page: readPaging(paging), degraded });
  }

  @Mutation(() => MarkFeedReadPayload, {
    description: "Moves the viewer's read marker; it never moves back.",
  })
  async markFeedRead(@Arg('input') { cursor }: MarkFeedReadInput, @Ctx() context: RequestContext) {
    const { viewer } = callerOf(context);
    return toPayload('readMarker', await context.app.feed.markers.mark(viewer, cursor));
  }

  @Authorized('admin')
  @Mutation(() => SponsorPostPayload, { description: 'Admin: shown at positions 3, 8 and 15 while it runs.' })
  async sponsorPost(@Arg('input') input: SponsorPostInput, @Ctx() context: RequestContext) {
    const { postId, startsAt, endsAt } = input;
    const asked = { postId, startsAt: startsAt ?? null, endsAt: endsAt ?? null };
    return toPayload('post', await context.app.feed.sponsored.sponsor(callerOf(context), asked));
  }

  @Authorized('admin')
  @Mutation(() => UnsponsorPostPayload)
  async unsponsorPost(@Arg('input') { postId }: UnsponsorPostInput, @Ctx() context: RequestContext) {
    return toPayload('post', await context.app.feed.sponsored.unsponsor(postId));
  }
}

@Resolver(() => FeedConnection)
export class FeedConnectionResolver {
  @FieldResolver(() => String, { nullable: true, description: "Where the viewer's read marker stands." })
  async readMarker(@Ctx() context: RequestContext): Promise<string | null> {
    return (await markerOf(context)).cursor;
  }

  @FieldResolver(() => Int, { description: 'How many posts of the feed are newer, 500 at most.' })
  async newerThanReadMarker(@Ctx() context: RequestContext): Promise<number> {
    return (await markerOf(context)).newer;
  }
}

const markerOf = (context: RequestContext): Promise<ReadMarker> =>
  context.loaders.readMarker.load(callerOf(context).viewer.userId);

export const feedReadResolvers = [FeedReadResolver, FeedConnectionResolver] as const;

import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FeedUpdate as FeedUpdateRecord } from '../domains/feed/index.js';
import { FeedUpdate } from '../schema/feed.js';

@Resolver(() => FeedUpdate)
export class FeedUpdateResolver {
  // Asked at every update: a loader would remember the first answer for as long as the subscription lasts.
  @FieldResolver(() => Int, {
    description: 'How many posts of the feed are newer than the read marker, 500 at most.',
  })
  async newerThanReadMarker(
    @Root() update: FeedUpdateRecord,
    @Ctx() context: RequestContext,
  ): Promise<number> {
    const markers = await context.app.feed.markers.of([update.userId]);
    return markers.get(update.userId)!.newer;
  }
}

export const feedLiveResolvers = [FeedUpdateResolver] as const;

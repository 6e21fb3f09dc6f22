import { Ctx, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../context.js';
import type { FeedUpdate as FeedUpdateRecord } from '../domains/feed/index.js';
import { FeedUpdate, Post } from '../schema/feed.js';

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

export const feedLiveResolvers = [FeedUpdateResolver] as const;

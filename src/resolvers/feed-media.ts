import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../context.js';
import { Media } from '../schema/feed-media.js';

@Resolver()
export class MediaResolver {
  @Query(() => Media, {
    nullable: true,
    description:
      'An image or a video, for its owner and for users who may see a post with it. Null for others.',
  })
  media(@Arg('mediaId', () => ID) mediaId: string, @Ctx() context: RequestContext) {
    return context.loaders.media.load(mediaId);
  }
}

export const feedMediaResolvers = [MediaResolver] as const;

/** How `node` finds media. */
export const feedMediaNodes = {
  Media: (rawId: string, context: RequestContext) => context.loaders.media.load(rawId),
};

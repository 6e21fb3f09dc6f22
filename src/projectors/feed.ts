import { z } from 'zod';
import { beginFanOuts, type Feed, ringFanOuts } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';
import type { Queues } from '../platform/queues.js';
import { createEngagementProjectors } from './feed-engagement.js';
import { createGraphProjector } from './feed-graph.js';
import { createPostsProjector } from './feed-posts.js';
import { createRankingProjector } from './feed-ranking.js';

const postPublished = z.object({ postId: z.uuid(), authorId: z.string() });

/** What follows from the feed's events; fan-outs of new posts are noted and rung for. */
export function createFeedProjectors(deps: { feed: Feed; queues: Queues }): Projector[] {
  return [
    createGraphProjector(deps),
    createPostsProjector(deps),
    createRankingProjector(deps),
    ...createEngagementProjectors(deps),
    {
      name: 'feed-fan-out',
      eventTypes: new Set(['PostPublished']),
      async apply(events, tx) {
        const posts = events.map((event) => postPublished.parse(event.data));
        const postIds = posts.map((post) => post.postId);
        await deps.feed.placePublished(postIds);
        const authors = new Set(await beginFanOuts(tx, postIds));
        const stories = new Map(posts.map((post, i) => [post.authorId, events[i]!.metadata.correlationId]));
        // Rung after the commit, when the job can find its row; should the ring be lost, the sweeper comes by.
        return () =>
          ringFanOuts(
            deps.queues,
            [...authors].map((authorId) => ({ authorId, correlationId: stories.get(authorId)! })),
          );
      },
    },
  ];
}

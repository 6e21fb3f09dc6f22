import { feedEvents } from '../domains/feed/events.js';
import { beginFanOuts, type Feed, fanOutOutbox } from '../domains/feed/index.js';
import type { Outbox } from '../platform/outbox/index.js';
import type { Projector } from '../platform/projector/projector.js';
import { createEngagementProjectors } from './feed-engagement.js';
import { createGraphProjector } from './feed-graph.js';
import { createPostsProjector } from './feed-posts.js';
import { createRankingProjector } from './feed-ranking.js';

const published = feedEvents.only('PostPublished');

/** What follows from the feed's events; fan-outs of new posts are written and enqueued. */
export function createFeedProjectors(deps: { feed: Feed; outbox: Outbox }): Projector[] {
  return [
    createGraphProjector(deps),
    createPostsProjector(deps),
    createRankingProjector(deps),
    ...createEngagementProjectors(deps),
    {
      name: 'feed-fan-out',
      eventTypes: published.types,
      async apply(events, tx) {
        const postIds = events.map((event) => published.read(event).data.postId);
        await deps.feed.placePublished(postIds);
        const correlationIds = new Map(
          postIds.map((postId, i) => [postId, events[i]!.metadata.correlationId]),
        );
        return deps.outbox.add(
          tx,
          fanOutOutbox,
          (await beginFanOuts(tx, postIds)).map((payload) => ({
            payload,
            correlationId: correlationIds.get(payload.postId)!,
          })),
        );
      },
    },
  ];
}

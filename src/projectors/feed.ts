import { z } from 'zod';
import { beginFanOuts, type Feed, ringFanOuts } from '../domains/feed/index.js';

import type { Projector } from '../platform/projector/projector.js';
import type { Queues } from '../platform/queues.js';

const postPublished = z.object({ postId: z.uuid() });
const edgeChanged = z.object({ followerId: z.string() });

/** What follows from posts and follows: fan-outs are noted and rung for; feeds whose follows changed go cold. */
export function createFeedProjectors(deps: { feed: Feed; queues: Queues }): Projector[] {
  return [
    {
      name: 'feed-fan-out',
      eventTypes: new Set(['PostPublished']),
      async apply(events, tx) {
        const correlations = new Map(
          events.map((event) => [postPublished.parse(event.data).postId, event.metadata.correlationId]),
        );
        const begun = await beginFanOuts(tx, [...correlations.keys()]);
        // Rung after the commit, when the job can find its row; should the ring be lost, the sweeper comes by.
        return () =>
          ringFanOuts(
            deps.queues,
            begun.map((postId) => ({ postId, correlationId: correlations.get(postId)! })),
          );
      },
    },
    {
      name: 'feed-follows',
      eventTypes: new Set(['UserFollowed', 'UserUnfollowed']),
      async apply(events) {
        const readers = new Set(events.map((event) => edgeChanged.parse(event.data).followerId));
        await deps.feed.cache.invalidate([...readers]);
        return undefined;
      },
    },
  ];
}

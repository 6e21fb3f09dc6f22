import { z } from 'zod';
import { beginFanOuts, type Feed, ringFanOuts } from '../domains/feed/index.js';

import type { Projector } from '../platform/projector/projector.js';
import type { Queues } from '../platform/queues.js';
import { createEngagementProjectors } from './feed-engagement.js';
import { createPostsProjector } from './feed-posts.js';
import { createRankingProjector } from './feed-ranking.js';

const postPublished = z.object({ postId: z.uuid(), authorId: z.string() });
const followChanged = z.object({ followerId: z.string() });
/** The acting user, and the blocked one where there is one: a block is felt by both. */
const relationChanged = z.object({ userId: z.string(), blockedId: z.string().optional() });

const follows = new Set(['UserFollowed', 'UserUnfollowed']);
const relations = new Set(['UserMuted', 'UserUnmuted', 'UserBlocked', 'UserUnblocked', 'MutedKeywordsSet']);

/** What follows from posts and follows: fan-outs are noted and rung for; feeds whose follows changed go cold. */
export function createFeedProjectors(deps: { feed: Feed; queues: Queues }): Projector[] {
  return [
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
    {
      name: 'feed-follows',
      eventTypes: new Set([...follows, ...relations]),
      async apply(events) {
        const readers = events
          .filter((event) => follows.has(event.type))
          .map((event) => followChanged.parse(event.data).followerId);
        const changed = events
          .filter((event) => relations.has(event.type))
          .flatMap((event) => {
            const { userId, blockedId } = relationChanged.parse(event.data);
            return blockedId === undefined ? [userId] : [userId, blockedId];
          });
        await deps.feed.forgetFollows([...new Set(readers)]);
        await deps.feed.relations.invalidate([...new Set(changed)]);
        return undefined;
      },
    },
  ];
}

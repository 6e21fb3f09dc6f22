import { z } from 'zod';
import { type Feed, toldEventTypes } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

/** What has to do with a post: `sharedPostId` of a share, whose original has one share more or less. */
const ofPost = z.object({ postId: z.uuid(), sharedPostId: z.uuid().nullish() });

/** What follows from reactions, comments and shares: everybody sees the counts, and those whom it concerns are notified. */
export function createEngagementProjectors(deps: { feed: Pick<Feed, 'engagement'> }): Projector[] {
  const { engagement } = deps.feed;
  return [
    {
      name: 'feed-counts',
      eventTypes: new Set([
        'PostReacted',
        'ReactionRemoved',
        'PostCommented',
        'CommentDeleted',
        'RepliesDeleted',
        'PostPublished',
        'PostDeleted',
      ]),
      async apply(events) {
        const counted = new Set<string>();
        const perhapsShares = new Set<string>();
        for (const event of events) {
          const { postId, sharedPostId } = ofPost.parse(event.data);
          if (event.type === 'PostPublished') {
            if (sharedPostId) counted.add(sharedPostId);
          } else if (event.type === 'PostDeleted') perhapsShares.add(postId);
          else counted.add(postId);
        }
        for (const original of await engagement.findOriginals([...perhapsShares])) counted.add(original);
        // The command did so too, unless its process was killed.
        await engagement.counts.publish([...counted]);
        return undefined;
      },
    },
    {
      name: 'feed-notices',
      eventTypes: toldEventTypes,
      apply: (events, tx) => engagement.addNotices(tx, events),
    },
  ];
}

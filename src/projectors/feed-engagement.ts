import { feedEvents } from '../domains/feed/events.js';
import { type Feed, noticeEvents } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

const countedEvents = feedEvents.only(
  'PostReacted',
  'ReactionRemoved',
  'PostCommented',
  'CommentDeleted',
  'RepliesDeleted',
  'PostPublished',
  'PostDeleted',
);

/** What follows from reactions, comments and shares: counts are published, and those whom they concern are notified. */
export function createEngagementProjectors(deps: { feed: Pick<Feed, 'engagement'> }): Projector[] {
  const { engagement } = deps.feed;
  return [
    {
      name: 'feed-counts',
      eventTypes: countedEvents.types,
      async apply(events) {
        const counted = new Set<string>();
        const perhapsShares = new Set<string>();
        for (const { type, data } of events.map(countedEvents.read)) {
          if (type === 'PostPublished') {
            if (data.sharedPostId) counted.add(data.sharedPostId);
          } else if (type === 'PostDeleted') perhapsShares.add(data.postId);
          else counted.add(data.postId);
        }
        for (const original of await engagement.findOriginals([...perhapsShares])) counted.add(original);
        // The command did so too, unless its process was killed.
        await engagement.counts.publish([...counted]);
        return undefined;
      },
    },
    {
      name: 'feed-notices',
      eventTypes: noticeEvents.types,
      apply: (events, tx) => engagement.addNotices(tx, events),
    },
  ];
}

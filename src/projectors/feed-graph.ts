import { feedEvents } from '../domains/feed/events.js';
import type { Feed } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

const follows = feedEvents.only('UserFollowed', 'UserUnfollowed');
const relations = feedEvents.only(
  'UserMuted',
  'UserUnmuted',
  'UserBlocked',
  'UserUnblocked',
  'MutedKeywordsSet',
);

/** Invalidates again what each command invalidated in caches: its process may have been killed before it did. */
export function createGraphProjector(deps: { feed: Pick<Feed, 'forgetFollows' | 'relations'> }): Projector {
  return {
    name: 'feed-follows',
    eventTypes: new Set([...follows.types, ...relations.types]),
    async apply(events) {
      const readers = follows.readThose(events).map(({ data }) => data.followerId);
      // A block changes what both may see.
      const changed = relations
        .readThose(events)
        .flatMap(({ data }) => ('blockedId' in data ? [data.userId, data.blockedId] : [data.userId]));
      await Promise.all([
        deps.feed.forgetFollows([...new Set(readers)]),
        deps.feed.relations.invalidate([...new Set(changed)]),
      ]);
      return undefined;
    },
  };
}

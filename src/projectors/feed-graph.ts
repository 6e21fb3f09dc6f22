import { z } from 'zod';
import type { Feed } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

const followChanged = z.object({ followerId: z.string() });
/** The acting user, and the blocked one where there is one: a block is felt by both. */
const relationChanged = z.object({ userId: z.string(), blockedId: z.string().optional() });

const follows = new Set(['UserFollowed', 'UserUnfollowed']);
const relations = new Set(['UserMuted', 'UserUnmuted', 'UserBlocked', 'UserUnblocked', 'MutedKeywordsSet']);

/** What each command made caches forget is forgotten again: its process may have been killed before. */
export function createGraphProjector(deps: { feed: Pick<Feed, 'forgetFollows' | 'relations'> }): Projector {
  return {
    name: 'feed-follows',
    eventTypes: new Set([...follows, ...relations]),
    async apply(events) {
      const readers = events
        .filter((event) => follows.has(event.type))
        .map((event) => followChanged.parse(event.data).followerId);
      const changed = events
        .filter((event) => relations.has(event.type))
        .map((event) => relationChanged.parse(event.data))
        .flatMap(({ userId, blockedId }) => (blockedId === undefined ? [userId] : [userId, blockedId]));
      await Promise.all([
        deps.feed.forgetFollows([...new Set(readers)]),
        deps.feed.relations.invalidate([...new Set(changed)]),
      ]);
      return undefined;
    },
  };
}

import { feedEvents } from '../domains/feed/events.js';
import { beginFanOuts, type Feed, fanOutOutbox } from '../domains/feed/index.js';
import { causedBy, type Outbox } from '../platform/outbox/index.js';
import type { Projector } from '../platform/projector/projector.js';
import { createEngagementProjectors } from './feed-engagement.js';
import { createRankingProjector } from './feed-ranking.js';

const published = feedEvents.only('PostPublished');
const changed = feedEvents.only('PostEdited', 'PostDeleted');
const finished = feedEvents.only('MediaFinished');
const follows = feedEvents.only('UserFollowed', 'UserUnfollowed');
const relations = feedEvents.only(
  'UserMuted',
  'UserUnmuted',
  'UserBlocked',
  'UserUnblocked',
  'MutedKeywordsSet',
);

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
        const causes = new Map(postIds.map((postId, i) => [postId, causedBy(events[i]!.metadata)]));
        return deps.outbox.add(
          tx,
          fanOutOutbox,
          (await beginFanOuts(tx, postIds)).map((payload) => ({
            payload,
            ...causes.get(payload.postId)!,
          })),
        );
      },
    },
  ];
}

/** Invalidates again what each command invalidated in caches: its process may have been killed before it did. */
export function createGraphProjector(deps: { feed: Pick<Feed, 'forgetFollows' | 'relations'> }): Projector {
  return {
    name: 'feed-follows',
    eventTypes: new Set([...follows.types, ...relations.types]),
    async apply(events) {
      const readers = follows.readThose(events).map(({ data }) => data.followerId);
      // A block changes what both may see.
      const viewers = relations
        .readThose(events)
        .flatMap(({ data }) => ('blockedId' in data ? [data.userId, data.blockedId] : [data.userId]));
      await Promise.all([
        deps.feed.forgetFollows([...new Set(readers)]),
        deps.feed.relations.invalidate([...new Set(viewers)]),
      ]);
      return undefined;
    },
  };
}

/** Cached posts follow what happens to them, and readers learn whose posts are to be pulled. */
export const createPostsProjector = (deps: { feed: Feed }): Projector => ({
  name: 'feed-posts',
  eventTypes: new Set([...published.types, ...changed.types, ...finished.types]),
  async apply(events) {
    const { feed } = deps;
    const mediaIds = finished.readThose(events).map(({ data }) => data.mediaId);
    const holders = mediaIds.length > 0 ? await feed.media.postsHolding(mediaIds) : [];
    await Promise.all([
      feed.refreshPosts([...changed.readThose(events).map(({ data }) => data.postId), ...holders]),
      feed.announcePulledAuthors(published.readThose(events).map(({ data }) => data.postId)),
    ]);
    return undefined;
  },
});

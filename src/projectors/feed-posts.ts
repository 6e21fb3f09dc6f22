import { feedEvents } from '../domains/feed/events.js';
import type { Feed } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

const published = feedEvents.only('PostPublished');
const changed = feedEvents.only('PostEdited', 'PostDeleted');
const finished = feedEvents.only('MediaFinished');

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

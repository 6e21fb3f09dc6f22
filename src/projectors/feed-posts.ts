import { z } from 'zod';
import type { Feed } from '../domains/feed/index.js';
import type { Projector } from '../platform/projector/projector.js';

const aboutPost = z.object({ postId: z.uuid() });
const aboutMedia = z.object({ mediaId: z.uuid() });

const changes = new Set(['PostEdited', 'PostDeleted']);

/** Cached posts follow what happens to them, and readers learn whose posts are to be pulled. */
export const createPostsProjector = (deps: { feed: Feed }): Projector => ({
  name: 'feed-posts',
  eventTypes: new Set(['PostPublished', ...changes, 'MediaFinished']),
  async apply(events) {
    const { feed } = deps;
    const of = (isMeant: (type: string) => boolean) => events.filter((event) => isMeant(event.type));
    const published = of((type) => type === 'PostPublished').map(
      (event) => aboutPost.parse(event.data).postId,
    );
    const changed = of((type) => changes.has(type)).map((event) => aboutPost.parse(event.data).postId);
    const media = of((type) => type === 'MediaFinished').map((event) => aboutMedia.parse(event.data).mediaId);
    const holders = media.length > 0 ? await feed.media.postsHolding(media) : [];
    await Promise.all([feed.refreshPosts([...changed, ...holders]), feed.announcePulledAuthors(published)]);
    return undefined;
  },
});

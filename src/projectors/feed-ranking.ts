import { z } from 'zod';
import type { Feed } from '../domains/feed/index.js';
import type { Interaction } from '../domains/feed/ranking/index.js';
import type { RecordedEvent } from '../platform/event-log/index.js';
import type { Projector } from '../platform/projector/projector.js';

const published = z.object({ authorId: z.string(), sharedPostId: z.uuid().nullish() });
const reacted = z.object({ postId: z.uuid(), userId: z.string(), kind: z.string() });
const commented = z.object({ postId: z.uuid(), authorId: z.string() });

/** Readers come closer to authors by what they do with their posts, and the predictor has something to learn from. */
export const createRankingProjector = ({ feed }: { feed: Pick<Feed, 'ranking'> }): Projector => ({
  name: 'feed-affinity',
  eventTypes: new Set(['PostPublished', 'PostReacted', 'PostCommented']),
  async apply(events, tx) {
    await feed.ranking.noteInteractions(
      tx,
      events.flatMap((event) => interactionOf(event) ?? []),
    );
    return undefined;
  },
});

/** Null where it brings nobody closer: a post that shares none, an angry reaction. */
function interactionOf({ type, data, createdAt: at }: RecordedEvent): Interaction | null {
  const done = (readerId: string, postId: string, kind: Interaction['kind']): Interaction => ({
    readerId,
    postId,
    personId: null,
    kind,
    at,
  });
  if (type === 'PostPublished') {
    const { authorId, sharedPostId } = published.parse(data);
    return sharedPostId ? done(authorId, sharedPostId, 'SHARE') : null;
  }
  if (type === 'PostCommented') {
    const { authorId, postId } = commented.parse(data);
    return done(authorId, postId, 'COMMENT');
  }
  const { userId, postId, kind } = reacted.parse(data);
  return kind === 'ANGRY' ? null : done(userId, postId, 'LIKE');
}

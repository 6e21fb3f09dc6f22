import { z } from 'zod';
import type { Feed } from '../domains/feed/index.js';
import type { Interaction } from '../domains/feed/ranking/index.js';
import type { RecordedEvent } from '../platform/event-log/index.js';
import type { Projector } from '../platform/projector/projector.js';

const mentions = z.array(z.string()).default([]);
const published = z.object({ authorId: z.string(), mentions, sharedPostId: z.uuid().nullish() });
const reacted = z.object({ postId: z.uuid(), userId: z.string(), kind: z.string() });
const edited = z.object({ authorId: z.string(), mentions });
const commented = z.object({ postId: z.uuid(), authorId: z.string(), mentions });

/** Readers come closer to authors by what they do with their posts, and the predictor has something to learn from. */
export const createRankingProjector = ({ feed }: { feed: Pick<Feed, 'ranking'> }): Projector => ({
  name: 'feed-affinity',
  eventTypes: new Set(['PostPublished', 'PostEdited', 'PostReacted', 'PostCommented']),
  async apply(events, tx) {
    await feed.ranking.noteInteractions(
      tx,
      events.flatMap((event) => interactionsOf(event)),
    );
    return undefined;
  },
});

/** None where it brings nobody closer: a post that shares none and mentions nobody, an angry reaction. */
function interactionsOf({ type, data, createdAt: at }: RecordedEvent): Interaction[] {
  const done = (readerId: string, postId: string, kind: Interaction['kind']): Interaction => ({
    readerId,
    postId,
    personId: null,
    kind,
    at,
  });
  const tagged = (readerId: string, people: readonly string[]): Interaction[] =>
    people.map((personId) => ({ readerId, postId: null, personId, kind: 'TAG', at }));
  if (type === 'PostPublished') {
    const { authorId, sharedPostId, mentions: people } = published.parse(data);
    return [...(sharedPostId ? [done(authorId, sharedPostId, 'SHARE')] : []), ...tagged(authorId, people)];
  }
  if (type === 'PostEdited') {
    const { authorId, mentions: people } = edited.parse(data);
    return tagged(authorId, people);
  }
  if (type === 'PostCommented') {
    const { authorId, postId, mentions: people } = commented.parse(data);
    return [done(authorId, postId, 'COMMENT'), ...tagged(authorId, people)];
  }
  const { userId, postId, kind } = reacted.parse(data);
  return kind === 'ANGRY' ? [] : [done(userId, postId, 'LIKE')];
}

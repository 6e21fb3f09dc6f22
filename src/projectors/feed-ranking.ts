import { feedEvents } from '../domains/feed/events.js';
import type { Feed } from '../domains/feed/index.js';
import type { Interaction } from '../domains/feed/ranking/index.js';
import type { EventOf } from '../platform/event-log/define-events.js';
import type { Projector } from '../platform/projector/projector.js';

const interactions = feedEvents.only('PostPublished', 'PostEdited', 'PostReacted', 'PostCommented');

/** Readers come closer to authors by what they do with their posts, and the predictor has something to learn from. */
export const createRankingProjector = ({ feed }: { feed: Pick<Feed, 'ranking'> }): Projector => ({
  name: 'feed-affinity',
  eventTypes: interactions.types,
  async apply(events, tx) {
    await feed.ranking.noteInteractions(
      tx,
      events.flatMap((event) => interactionsOf(interactions.read(event), event.createdAt)),
    );
    return undefined;
  },
});

/** None for a post that shares none and mentions no user, and for an ANGRY reaction. */
function interactionsOf({ type, data }: EventOf<typeof interactions>, at: Date): Interaction[] {
  const done = (readerId: string, postId: string, kind: Interaction['kind']): Interaction => ({
    readerId,
    postId,
    personId: null,
    kind,
    at,
  });
  const tagged = (readerId: string, people: readonly string[] = []): Interaction[] =>
    people.map((personId) => ({ readerId, postId: null, personId, kind: 'TAG', at }));
  switch (type) {
    case 'PostPublished':
      return [
        ...(data.sharedPostId ? [done(data.authorId, data.sharedPostId, 'SHARE')] : []),
        ...tagged(data.authorId, data.mentions),
      ];
    case 'PostEdited':
      return tagged(data.authorId, data.mentions);
    case 'PostCommented':
      return [done(data.authorId, data.postId, 'COMMENT'), ...tagged(data.authorId, data.mentions)];
    case 'PostReacted':
      return data.kind === 'ANGRY' ? [] : [done(data.userId, data.postId, 'LIKE')];
    default:
      return type satisfies never;
  }
}

import type { Sender } from '../platform/auth/auth.js';
import { APP } from './notification-kind.js';
import { FRIENDS, type Person } from './people.js';
import { type DemoPost, uuidV7 } from './posts.js';
import { seededRandom } from './random.js';
import { HOUR, MINUTE } from './rhythm.js';

/** People whom one item of a friend's inbox is about: they reacted to the same post. */
export type DemoGroup = ReturnType<typeof makeReactions>[number];

const PEOPLE_OF_A_GROUP = 12;
const WINDOW = 12 * HOUR;
/** The newest of them. */
const AGO = 40 * MINUTE;

/** One group for each friend who posted: reactions to their newest post. They are as people who use the demo would make them. */
export function makeReactions(people: readonly Person[], posts: readonly DemoPost[], now: number) {
  const random = seededRandom(8);
  return FRIENDS.flatMap(({ userId }, author) => {
    const post = posts.findLast((one) => one.author === author && one.createdAt < now - HOUR);
    if (!post) return [];
    const from = random.int(FRIENDS.length, people.length - PEOPLE_OF_A_GROUP);
    const actors = people.slice(from, from + PEOPLE_OF_A_GROUP);
    const openedAt = Math.max(post.createdAt, now - HOUR);
    return {
      groupId: uuidV7(openedAt, random),
      userId,
      producer: 'feed' satisfies Sender,
      type: 'POST_LIKED',
      key: post.postId,
      /** Milliseconds since the epoch. */
      openedAt,
      closesAt: openedAt + WINDOW,
      sentAt: now - AGO,
      /** The newest last. */
      actors: actors.map((actor) => ({ actorId: actor.userId, actorName: actor.displayName })),
      title: `${actors.at(-1)!.displayName} and ${actors.length - 1} others reacted to your post`,
      body: `“${post.content.slice(0, 100)}”`,
      actionUrl: `${APP}/posts/${post.postId}`,
    };
  });
}

import { inSpan, tracer } from '../../../platform/tracing/tracing.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { FeedCache } from '../cache/feed-cache.js';
import { inParts } from '../in-parts.js';
import { type PlaceRow, placeOfRow } from '../types.js';

const WOKEN_AT_ONCE = 100;

/** The wake-up topic of a user's feed. */
export const feedTopic = (userId: string): string => `feed:${userId}`;

/** The post that is pushed and published. */
interface Served extends PlaceRow {
  readonly author: string;
  readonly position: number;
}

/**
 * Writes feeds, then wakes their readers, so that a woken reader finds the post. Answers how many feeds took it. Where feeds
 * cannot be written their readers are woken all the same, since Postgres has the post; a second wake-up has the same
 * position.
 *
 * @throws the error of the feeds' write, once readers are woken: it must be done again then
 */
export async function serve(
  deps: { readonly cache: FeedCache; readonly wakeUps: WakeUpPublisher },
  work: Served,
  userIds: readonly string[],
  done: Promise<number> | number,
): Promise<number> {
  if (userIds.length === 0) return 0;
  const pushing = Promise.allSettled([push(deps.cache, work, userIds)]);
  const payload = {
    postId: work.post_id,
    authorId: work.author,
    createdAt: work.created_at.toISOString(),
    position: work.position,
    // Read by processes of the version before.
    done: await done,
  };
  const [pushed] = await pushing;
  const wakeUps = inParts(userIds, WOKEN_AT_ONCE).map((some) => ({ topics: some.map(feedTopic), payload }));
  // The author's next post is fanned out after this one, and must not wake readers first. A failed write is done again.
  await deps.wakeUps.publish(wakeUps, { inOrder: pushed.status === 'fulfilled' });
  if (pushed.status === 'rejected') throw pushed.reason;
  return pushed.value;
}

function push(cache: FeedCache, work: Served, userIds: readonly string[]): Promise<number> {
  const using = tracer();
  if (!using) return cache.push(userIds, placeOfRow(work));
  const start = { name: 'push to feeds', attributes: { 'tidings.feed.followers': userIds.length } };
  return inSpan(using, start, () => cache.push(userIds, placeOfRow(work)));
}

import type { PostPlace } from '../types.js';
import type { CachedFeed } from './feed-cache.js';

/**
 * The celebrity posts store (feed document, Fan-out rules): per pulled author, the places of his latest pulled posts.
 * A hint like the feeds, under the same protocol: an outbox that is cold is read from Postgres.
 */
export interface Outboxes {
  /** At most `limit` places an author at or below `at` (ms), in one round trip; `null` for a cold outbox. */
  read(authorIds: readonly string[], at: number, limit: number): Promise<Map<string, CachedFeed | null>>;
  /** Adds a pulled post to its author's outbox where that is warm or being built. */
  push(authorId: string, place: PostPlace): Promise<void>;
  /** Warms cold outboxes by what `load` reads of the author; pushes made meanwhile are merged. */
  build(
    authorId: string,
    load: () => Promise<{ places: readonly PostPlace[]; completeFrom: PostPlace }>,
  ): Promise<void>;
}

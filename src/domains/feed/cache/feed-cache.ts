import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Redis } from '../../../platform/redis.js';
import type { PostPlace } from '../types.js';
import { createWarmSets, KEPT, type Loaded, type WarmPlaces } from './warm-sets.js';

/** Entries that a feed keeps (feed document, Limits). */
export const FEED_ENTRIES = KEPT;

/** The entries that a warm feed answered. */
export type CachedFeed = WarmPlaces;

/**
 * Readers' feeds: per user a sorted set of post ids by time, the latest 500, for 7 days after the last
 * read. A hint, never the record: what is shown is decided on every read.
 */
export interface FeedCache {
  /** At most `limit` entries at or below `at` (ms); `null` for a cold feed. */
  read(userId: string, at: number, limit: number): Promise<CachedFeed | null>;
  /** Which of these posts a warm feed holds; `null` for a cold one. */
  holds(userId: string, postIds: readonly string[]): Promise<ReadonlySet<string> | null>;
  /** How many entries are above a place, counted up to 500; `null` for a cold feed. */
  countAbove(userId: string, place: PostPlace): Promise<number | null>;
  /**
   * Pushes a post to the warm feeds among these users', 100 a round trip; answers how many took it.
   *
   * @throws where Redis failed, or without a lease; it must be done again then
   */
  push(userIds: readonly string[], place: PostPlace): Promise<number>;
  /**
   * Warms a cold feed by what `load` reads. Pushes made meanwhile are merged; an `invalidate` meanwhile discards it.
   * One builder at a time: where another process builds, nothing happens.
   */
  build(userId: string, load: () => Promise<Loaded>): Promise<void>;
  /** Pushes a post to one feed, or else makes it cold. See `CacheLease.invalidate`. */
  place(userId: string, place: PostPlace): Promise<void>;
  /** Makes feeds cold, also those that are being built. */
  invalidate(userIds: readonly string[]): Promise<void>;
}

export function createFeedCache(deps: { redis: Redis; lease: CacheLease; ids: Ids }): FeedCache {
  const { read, build, countAbove, ...sets } = createWarmSets(deps, 'feed');
  return {
    ...sets,
    read: async (userId, at, limit) => (await read([userId], at, limit)).get(userId) ?? null,
    build: (userId, load) => build([userId], async () => new Map([[userId, await load()]])),
    countAbove: (userId, place) => countAbove(userId, place, KEPT),
  };
}

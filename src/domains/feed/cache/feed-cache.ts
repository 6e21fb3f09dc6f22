import type { RedisDeps } from './deps.js';
import { createWarmSets, type Loaded, type WarmPlaces } from './warm-sets.js';

export type FeedCache = ReturnType<typeof createFeedCache>;

/** What reading a feed needs of them. */
export type ReadableFeeds = Pick<FeedCache, 'read' | 'build'>;

/** Feeds as somebody else than their reader may look at them: what is cold stays cold, and what is warm lives no longer. */
export const lookedAt = (cache: FeedCache): ReadableFeeds => ({
  read: cache.look,
  build: () => Promise.resolve(),
});

/**
 * Readers' feeds: per user one string of post ids by time, the latest 500, for 7 days after the last
 * read. A hint, never the record: what is shown is decided on every read. See `createWarmSets`.
 */
export function createFeedCache(deps: RedisDeps) {
  const sets = createWarmSets(deps, 'feed');
  return {
    ...sets,
    /** As `read`, for somebody else than the reader: a set that is warm lives no longer by it. */
    look: async (userId: string, at: number, limit: number): Promise<WarmPlaces | null> =>
      (await sets.look([userId], at, limit)).get(userId) ?? null,
    read: async (userId: string, at: number, limit: number): Promise<WarmPlaces | null> =>
      (await sets.read([userId], at, limit)).get(userId) ?? null,
    build: (userId: string, load: () => Promise<Loaded>): Promise<void> =>
      sets.build([userId], async () => new Map([[userId, await load()]])),
  };
}

import type { RedisDeps } from './deps.js';
import { createWarmSets, type Loaded, type WarmPlaces } from './warm-sets.js';

export type FeedCache = ReturnType<typeof createFeedCache>;

/**
 * Readers' feeds: per user a sorted set of post ids by time, the latest 500, for 7 days after the last
 * read. A hint, never the record: what is shown is decided on every read. See `createWarmSets`.
 */
export function createFeedCache(deps: RedisDeps) {
  const sets = createWarmSets(deps, 'feed');
  return {
    ...sets,
    read: async (userId: string, at: number, limit: number): Promise<WarmPlaces | null> =>
      (await sets.read([userId], at, limit)).get(userId) ?? null,
    build: (userId: string, load: () => Promise<Loaded>): Promise<void> =>
      sets.build([userId], async () => new Map([[userId, await load()]])),
  };
}

import type { Ids } from '../../../platform/ids.js';
import { KEY_PREFIX, loadScript, type Redis, runScript } from '../../../platform/redis.js';
import type { PostPlace } from '../types.js';

/** Entries that a feed keeps (feed document, Limits). */
export const FEED_ENTRIES = 500;
/** Trimming one entry at every push would cost more than it saves. */
const TRIM_ABOVE = 550;
/** Followers a round trip (feed document, Fan-out rules). */
export const PUSH_BATCH = 100;
const LIFE_SECONDS = 7 * 86_400;
const BUILD_MS = 10_000;
const SHARDS = 256;

const scripts = {
  push: loadScript(new URL('./push.lua', import.meta.url)),
  read: loadScript(new URL('./read.lua', import.meta.url)),
  beginBuild: loadScript(new URL('./begin-build.lua', import.meta.url)),
  finishBuild: loadScript(new URL('./finish-build.lua', import.meta.url)),
};

/** What a warm feed answered. */
export interface CachedFeed {
  /** At and above this place the cache is whole; below it Postgres answers. */
  readonly completeFrom: PostPlace;
  /** At or below the asked time, newest first. */
  readonly places: readonly PostPlace[];
}

/**
 * The feeds of those who read: per user a sorted set of post ids by time, the latest 500, for 7 days after the last
 * read. A hint, never the truth: what is shown is decided on every read.
 */
export interface FeedCache {
  /** At most `limit` entries at or below `at` (ms); `null` for a cold feed. */
  read(userId: string, at: number, limit: number): Promise<CachedFeed | null>;
  /** Which of these posts a warm feed holds; `null` for a cold one. */
  holds(userId: string, postIds: readonly string[]): Promise<ReadonlySet<string> | null>;
  /** Pushes a post to the warm feeds among at most 100 users'; returns how many took it. */
  push(userIds: readonly string[], place: PostPlace): Promise<number>;
  /**
   * Warms a cold feed by what `load` reads. Pushes made meanwhile are merged; an `invalidate` meanwhile discards it.
   * One builder at a time: where somebody else builds, nothing happens.
   */
  build(
    userId: string,
    load: () => Promise<{ places: readonly PostPlace[]; completeFrom: PostPlace }>,
  ): Promise<void>;
  /** Makes feeds cold, also those that are being built. */
  invalidate(userIds: readonly string[]): Promise<void>;
}

export function createFeedCache(deps: { redis: Redis; ids: Ids }): FeedCache {
  const { redis, ids } = deps;
  return {
    async read(userId, at, limit) {
      const { feed, meta } = keysOf(userId);
      const answer = (await runScript(redis, scripts.read, [feed, meta], [at, limit, LIFE_SECONDS])) as
        | string[]
        | null;
      if (answer === null) return null;
      const [fromAt, fromId, ...entries] = answer;
      const places: PostPlace[] = [];
      for (let i = 0; i < entries.length; i += 2)
        places.push({ postId: entries[i]!, at: Number(entries[i + 1]) });
      // Redis sorts equal scores by member, backwards under REV: by id, as PostPlace does.
      return { completeFrom: { at: Number(fromAt), postId: fromId! }, places };
    },

    async holds(userId, postIds) {
      const { feed, meta } = keysOf(userId);
      const [isWarm, scores] = await Promise.all([redis.exists(meta), redis.zmscore(feed, ...postIds)]);
      return isWarm ? new Set(postIds.filter((_, index) => scores[index] !== null)) : null;
    },

    async push(userIds, place) {
      const keys = userIds.flatMap((userId) => {
        const { feed, meta, token, building } = keysOf(userId);
        return [feed, meta, token, building];
      });
      return (await runScript(redis, scripts.push, keys, [
        place.at,
        place.postId,
        FEED_ENTRIES,
        TRIM_ABOVE,
      ])) as number;
    },

    async build(userId, load) {
      const { feed, meta, token, building } = keysOf(userId);
      const mine = ids.next();
      if ((await runScript(redis, scripts.beginBuild, [meta, token, building], [mine, BUILD_MS])) !== 1)
        return;
      const { places, completeFrom } = await load();
      await runScript(
        redis,
        scripts.finishBuild,
        [feed, meta, token, building],
        [
          mine,
          completeFrom.at,
          completeFrom.postId,
          LIFE_SECONDS,
          ...places.flatMap((place) => [place.at, place.postId]),
        ],
      );
    },

    async invalidate(userIds) {
      if (userIds.length === 0) return;
      const pipeline = redis.pipeline();
      for (const userId of userIds) pipeline.del(...Object.values(keysOf(userId)));
      for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
    },
  };
}

/** A user's keys share a hash tag, one of 256: on a Cluster, pushes can be grouped by it. */
function keysOf(userId: string): { feed: string; meta: string; token: string; building: string } {
  const prefix = `${KEY_PREFIX}:{f${shardOf(userId)}}`;
  return {
    feed: `${prefix}:feed:${userId}`,
    meta: `${prefix}:feed-meta:${userId}`,
    token: `${prefix}:feed-token:${userId}`,
    building: `${prefix}:feed-building:${userId}`,
  };
}

/** FNV-1a: short, and the same in every process. */
function shardOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < userId.length; i += 1) hash = Math.imul(hash ^ userId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % SHARDS;
}

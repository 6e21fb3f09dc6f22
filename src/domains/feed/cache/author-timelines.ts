import type { CacheLease } from '../../../platform/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { BEGINNING, type PostPlace } from '../types.js';
import { sql } from './author-timelines.sql.js';
import type { CachedFeed } from './feed-cache.js';
import { createWarmSets, KEPT, type Loaded } from './warm-sets.js';

/**
 * The celebrity posts store (feed document, Fan-out rules): per pulled author, the places of their latest 500 pulled posts.
 * A hint like the feeds, under the same protocol: a timeline that is cold is read from Postgres.
 */
export interface AuthorTimelines {
  /**
   * At most `limit` places an author at or below `at` (ms), in one round trip; `null` for a cold timeline, which is
   * warm soon after.
   */
  read(authorIds: readonly string[], at: number, limit: number): Promise<Map<string, CachedFeed | null>>;
  /** Adds a pulled post to its author's timeline where that is warm or being built, or else makes it cold. */
  place(authorId: string, place: PostPlace): Promise<void>;
  /** Builds those that are cold from Postgres, in one statement. */
  warm(authorIds: readonly string[]): Promise<void>;
}

export function createAuthorTimelines(deps: {
  postgres: Queryable;
  redis: Redis;
  lease: CacheLease;
  ids: Ids;
}): AuthorTimelines {
  // The name of the keys in Redis, from before timelines were called so.
  const sets = createWarmSets(deps, 'outbox');

  async function load(authorIds: readonly string[]): Promise<Map<string, Loaded>> {
    const { rows } = await deps.postgres.query(sql.latestPulled, [authorIds, KEPT + 1]);
    const byAuthor = Map.groupBy(rows, (row) => row.author);
    return new Map(authorIds.map((authorId) => [authorId, toLoaded(byAuthor.get(authorId) ?? [])]));
  }
  const warm = (authorIds: readonly string[]): Promise<void> => sets.build(authorIds, load);

  return {
    warm,
    async read(authorIds, at, limit) {
      const read = await sets.read(authorIds, at, limit);
      const cold = authorIds.filter((authorId) => read.get(authorId) === null);
      // For the next page. This one does not wait for it, and does not fail with the cache.
      if (cold.length > 0) void warm(cold).catch(() => undefined);
      return read;
    },
    place: sets.place,
  };
}

interface LatestRow {
  readonly author: string;
  readonly post_id: string;
  readonly created_at: Date;
}

function toLoaded(rows: readonly LatestRow[]): Loaded {
  const places = rows.slice(0, KEPT).map((row) => ({ at: row.created_at.getTime(), postId: row.post_id }));
  return { places, completeFrom: rows.length > KEPT ? places.at(-1)! : BEGINNING };
}

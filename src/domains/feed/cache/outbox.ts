import type { Ids } from '../../../platform/ids.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import { BEGINNING, type PostPlace } from '../types.js';
import type { CachedFeed } from './feed-cache.js';
import { createWarmSets, KEPT } from './warm-sets.js';

const sql = loadStatements(new URL('./outbox.sql', import.meta.url), ['latestPulled']);

/**
 * The celebrity posts store (feed document, Fan-out rules): per pulled author, the places of his latest 500 pulled posts.
 * A hint like the feeds, under the same protocol: an outbox that is cold is read from Postgres.
 */
export interface Outboxes {
  /**
   * At most `limit` places an author at or below `at` (ms), in one round trip; `null` for a cold outbox, which is warm
   * soon after.
   */
  read(authorIds: readonly string[], at: number, limit: number): Promise<Map<string, CachedFeed | null>>;
  /** Adds a pulled post to its author's outbox where that is warm or being built. */
  push(authorId: string, place: PostPlace): Promise<void>;
  /** Builds cold outboxes from Postgres, in one statement each. */
  warm(authorIds: readonly string[]): Promise<void>;
}

export function createOutboxes(deps: { postgres: Queryable; redis: Redis; ids: Ids }): Outboxes {
  const sets = createWarmSets(deps, 'outbox');

  async function load(authorId: string) {
    const { rows } = await deps.postgres.query<{ post_id: string; created_at: Date }>(sql.latestPulled, [
      authorId,
      KEPT + 1,
    ]);
    const latest = rows.map((row) => ({ at: row.created_at.getTime(), postId: row.post_id }));
    const places = latest.slice(0, KEPT);
    return { places, completeFrom: latest.length > KEPT ? places.at(-1)! : BEGINNING };
  }
  async function warm(authorIds: readonly string[]): Promise<void> {
    await Promise.all(authorIds.map((authorId) => sets.build(authorId, () => load(authorId))));
  }

  return {
    warm,
    async read(authorIds, at, limit) {
      const read = await sets.read(authorIds, at, limit);
      const cold = authorIds.filter((authorId) => read.get(authorId) === null);
      // The next page comes warm. This one waits for nothing, and does not fail with the cache.
      if (cold.length > 0) void warm(cold).catch(() => undefined);
      return read;
    },
    async push(authorId, place) {
      await sets.push([authorId], place);
    },
  };
}

import { BEGINNING, placeOfRow } from '../types.js';
import { sql } from './author-timelines.sql.js';
import type { CacheDeps } from './deps.js';
import { createWarmSets, KEPT, type Loaded, type WarmPlaces } from './warm-sets.js';

export type AuthorTimelines = ReturnType<typeof createAuthorTimelines>;

/**
 * The celebrity posts store (feed document, Fan-out rules): per pulled author, the places of their latest 500 pulled posts.
 * A hint like the feeds, under the same protocol: a timeline that is cold is read from Postgres.
 */
export function createAuthorTimelines(deps: CacheDeps) {
  // The name of the keys in Redis, from before timelines were called so.
  const sets = createWarmSets(deps, 'outbox');

  async function load(authorIds: readonly string[]): Promise<Map<string, Loaded>> {
    const { rows } = await deps.postgres.query(sql.latestPulled, [authorIds, KEPT + 1]);
    const byAuthor = Map.groupBy(rows, (row) => row.author);
    return new Map(
      authorIds.map((authorId) => {
        const latest = byAuthor.get(authorId) ?? [];
        const places = latest.slice(0, KEPT).map(placeOfRow);
        return [authorId, { places, completeFrom: latest.length > KEPT ? places.at(-1)! : BEGINNING }];
      }),
    );
  }
  /** Builds those that are cold from Postgres, in one statement. */
  const warm = (authorIds: readonly string[]): Promise<void> => sets.build(authorIds, load);

  return {
    warm,
    /**
     * At most `limit` places an author at or below `at` (ms), in one round trip; `null` for a cold timeline, which is warm soon
     * after.
     */
    async read(
      authorIds: readonly string[],
      at: number,
      limit: number,
    ): Promise<Map<string, WarmPlaces | null>> {
      const read = await sets.read(authorIds, at, limit);
      const cold = authorIds.filter((authorId) => read.get(authorId) === null);
      // For the next page. This one does not wait for it, and does not fail with the cache.
      if (cold.length > 0) void warm(cold).catch(() => undefined);
      return read;
    },
    place: sets.place,
  };
}

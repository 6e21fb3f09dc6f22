import { createLoadingCache } from '../../../platform/cache/loading-cache.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { KEY_PREFIX, loadScript, type Redis, runScript } from '../../../platform/redis/redis.js';
import { sql } from './pulled-authors.sql.js';

const announcePulled = loadScript(new URL('./announce-pulled.lua', import.meta.url));
const LIFE_SECONDS = 7 * 86_400;

/** The version of their set in Redis: a process that read it before Postgres knows all of them while it is unchanged. */
export const PULLED_VERSION = `${KEY_PREFIX}:pulled-authors`;

export type PulledAuthors = ReturnType<typeof createPulledAuthors>;

/**
 * All authors who ever published a post to be pulled: few, and known to each process. When an author becomes one of them,
 * one version in Redis changes, and nothing that is cached of their followers.
 */
export function createPulledAuthors(deps: { postgres: Queryable; redis: Redis; ids: Ids }) {
  const known = createLoadingCache<ReadonlySet<string>>({ maxSize: 1 });

  async function load(): Promise<ReadonlySet<string>> {
    const { rows } = await deps.postgres.query(sql.pulledAuthors);
    return new Set(rows.map((row) => row.user_id));
  }

  return {
    /** How many there are. */
    async count(): Promise<number> {
      const { rows } = await deps.postgres.query(sql.countPulledAuthors);
      return rows[0]!.authors;
    },

    /** Begins another version in Redis, unless it is of the same count; answers the version after that. */
    async announce(count: number): Promise<string> {
      const args = [count, deps.ids.next(), LIFE_SECONDS];
      return String(await runScript(deps.redis, announcePulled, [PULLED_VERSION], args));
    },

    /** @param version the value of `PULLED_VERSION`, in which epoch */
    at: (version: string, epoch: string) => known.get(`${epoch}/${version}`, load),
  };
}

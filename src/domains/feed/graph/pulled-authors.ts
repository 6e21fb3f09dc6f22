import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { KEY_PREFIX, loadScript, type Redis, runScript } from '../../../platform/redis.js';

const sql = loadStatements(new URL('./pulled-authors.sql', import.meta.url), [
  'pulledAuthors',
  'countPulledAuthors',
]);
const raise = loadScript(new URL('./raise.lua', import.meta.url));
const LIFE_SECONDS = 7 * 86_400;

/** Where Redis says how many there are: whoever read it first and Postgres afterwards knows them all. */
export const PULLED_VERSION = `${KEY_PREFIX}:pulled-authors`;

/**
 * Everybody who ever published a post to be pulled: few, and known to each process. That an author becomes one of them
 * changes one number in Redis, and nothing that is remembered of his followers.
 */
export interface PulledAuthors {
  /** @param version what stood at `PULLED_VERSION`, in which epoch */
  at(version: string, epoch: string): Promise<ReadonlySet<string>>;
  /** Says in Redis how many there are by now; answers what stands there then. */
  announce(): Promise<string>;
}

export function createPulledAuthors(deps: { postgres: Queryable; redis: Redis }): PulledAuthors {
  let known: { readonly at: string; readonly authors: Promise<ReadonlySet<string>> } | undefined;

  async function load(): Promise<ReadonlySet<string>> {
    const { rows } = await deps.postgres.query<{ user_id: string }>(sql.pulledAuthors);
    return new Set(rows.map((row) => row.user_id));
  }

  async function announce(): Promise<string> {
    const { rows } = await deps.postgres.query<{ authors: number }>(sql.countPulledAuthors);
    return String(await runScript(deps.redis, raise, [PULLED_VERSION], [rows[0]!.authors, LIFE_SECONDS]));
  }

  return {
    announce,
    at(version, epoch) {
      const at = `${epoch}/${version}`;
      if (known?.at === at) return known.authors;
      const asked = { at, authors: load() };
      known = asked;
      asked.authors.catch(() => {
        if (known === asked) known = undefined;
      });
      return asked.authors;
    },
  };
}

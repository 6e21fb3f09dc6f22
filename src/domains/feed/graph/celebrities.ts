import type { Queryable } from '../../../platform/postgres.js';
import { sql } from './celebrities.sql.js';
import type { RelationCache } from './relations.js';
import type { Summaries } from './users.js';

/** One run holds no more rows than this, twice; the next run goes on. */
const CHANGES_A_RUN = 1_000;

/**
 * Gives and removes the status of a celebrity, by the number of followers. It affects only posts published from now on: a
 * post is pushed or pulled by its author's status when it was published. Harmless to repeat and to kill.
 *
 * @param threshold followers from which an author is a celebrity
 * @returns whose status changed
 */
export async function settleCelebrities(
  deps: {
    postgres: Queryable;
    relations: Pick<RelationCache, 'pulledAuthorsChanged'>;
    authors: Summaries;
  },
  threshold: number,
): Promise<string[]> {
  const { rows } = await deps.postgres.query(sql.settle, [threshold, CHANGES_A_RUN]);
  const changed = rows.map((row) => row.user_id);
  // A process that published a pulled post announced it, unless it was killed before.
  await Promise.all([deps.authors.forget(changed), deps.relations.pulledAuthorsChanged()]);
  return changed;
}

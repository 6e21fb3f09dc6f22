import { loadStatements, type Queryable } from '../postgres.js';

const sql = loadStatements(new URL('./partitions.sql', import.meta.url), ['ensurePartitions']);

/**
 * Makes the partition after the last one while there is still room for 25 million events. To be called now and then:
 * whoever appends waits where it is missing.
 *
 * @returns how many it made
 */
export async function ensureEventPartitions(postgres: Queryable): Promise<number> {
  return (await postgres.query<{ made: number }>(sql.ensurePartitions)).rows[0]!.made;
}

import { loadStatements, type Queryable } from '../postgres.js';

const sql = loadStatements(new URL('./partitions.sql', import.meta.url), [
  'ensurePartitions',
  'sealPartition',
]);

/**
 * Makes the partition after the last one while there is still room for 25 million events. To be called now and then:
 * an append waits where it is missing.
 *
 * @returns how many it made
 */
export async function ensureEventPartitions(postgres: Queryable): Promise<number> {
  return (await postgres.query<{ made: number }>(sql.ensurePartitions)).rows[0]!.made;
}

/**
 * Seals the partitions that get no more events: notes which streams they have events of, so that a look-up of a stream
 * looks into no other. To be called now and then: what is not sealed yet is looked into for every stream.
 */
export async function sealEventPartitions(postgres: Queryable, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!(await postgres.query<{ more: boolean }>(sql.sealPartition)).rows[0]!.more) return;
  }
}

import type { Queryable } from '../postgres/postgres.js';
import { sql } from './partitions.sql.js';

/**
 * Makes the next partition once the last one is half full. To be called regularly: where it is missing, an append waits.
 *
 * @returns how many it made
 */
export async function ensureEventPartitions(postgres: Queryable): Promise<number> {
  return (await postgres.query(sql.ensurePartitions)).rows[0]!.made;
}

/**
 * Seals the partitions that get no more events: records which streams have events in them, so that a look-up of a stream
 * searches no other. To be called regularly: a partition that is not sealed is searched for every stream.
 */
export async function sealEventPartitions(postgres: Queryable, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!(await postgres.query(sql.sealPartition)).rows[0]!.more) return;
  }
}

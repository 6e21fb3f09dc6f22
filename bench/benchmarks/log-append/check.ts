import type { PostgresServer } from '../../harness/postgres-server.ts';
import type { StoreKind } from './stores/store.ts';

/** What a store kept, seen from its table. */
export interface Kept {
  /** Global positions that no event has, between the first and the last. */
  readonly gaps: number;
}

/**
 * Holds what was stored against what was acknowledged: as many events, each stream numbered without a gap,
 * and global positions from 1 without a gap where the store promises it.
 *
 * @throws when anything of it is broken
 */
export async function checkKept(
  server: PostgresServer,
  database: string,
  { name, table, firstPosition, gapless }: StoreKind,
  acknowledged: number,
): Promise<Kept> {
  const [kept] = await server.run<Record<'stored' | 'first' | 'last' | 'torn', string>>(
    `SELECT sum(events) AS stored, min(first) AS first, max(last) AS last,
       count(*) FILTER (WHERE lowest <> ${firstPosition} OR highest <> ${firstPosition} + events - 1) AS torn
     FROM (SELECT count(*) AS events, min(stream_position) AS lowest, max(stream_position) AS highest,
         min(global_position) AS first, max(global_position) AS last
       FROM ${table} GROUP BY stream_id) AS streams`,
    database,
  );
  const stored = Number(kept?.stored);
  const gaps = Number(kept?.last) - Number(kept?.first) + 1 - stored;
  if (stored !== acknowledged)
    throw new Error(`${name} acknowledged ${acknowledged} events and stored ${stored}`);
  if (Number(kept?.torn) > 0) throw new Error(`${name} left ${kept?.torn} streams with gaps or doubles`);
  if (gapless && (gaps !== 0 || Number(kept?.first) !== 1))
    throw new Error(`${name} left ${gaps} gaps in the log`);
  return { gaps };
}

import type { PostgresServer } from '../../../harness/postgres-server.ts';

/** Rows of `id` and `count` as a map, without those that count nothing. */
export const counted = (rows: readonly { id?: unknown; count?: unknown }[]): Map<string, number> =>
  new Map(
    rows.map(({ id, count }) => [String(id), Number(count)] as const).filter(([, count]) => count !== 0),
  );

/** Where a log's positions are not 1, 2, 3 …, or a stream's not 0, 1, 2 …, in words. */
export async function gapsIn(server: PostgresServer, database: string): Promise<string[]> {
  const [log] = await server.run<Record<'stored' | 'first' | 'last' | 'torn', string>>(
    `SELECT sum(events) AS stored, min(first) AS first, max(last) AS last,
       count(*) FILTER (WHERE lowest <> 0 OR highest <> events - 1) AS torn
     FROM (SELECT count(*) AS events, min(stream_position) AS lowest, max(stream_position) AS highest,
         min(global_position) AS first, max(global_position) AS last
       FROM events GROUP BY stream_id) AS streams`,
    database,
  );
  const faults: string[] = [];
  if (Number(log?.first) !== 1 || Number(log?.last) !== Number(log?.stored)) faults.push('the log has gaps');
  if (Number(log?.torn) > 0) faults.push(`${log?.torn} streams have gaps or doubles`);
  return faults;
}

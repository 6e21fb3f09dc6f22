import pg from 'pg';

/** What Postgres did for a piece of work. */
export interface Touched {
  /** Pages of 8 KiB that its statements found in memory or read, temporary files included; planning is not counted. */
  readonly blocks: number;
  /** Rows that its statements returned or changed. */
  readonly rows: number;
  /** As long as it took; of several runs the median. */
  readonly ms: number;
  /** The statements that touched most, with their blocks: where to look when it grew. */
  readonly heaviest: readonly { readonly statement: string; readonly blocks: number }[];
}

/** Counts the blocks of one database. */
export interface BlockMeter {
  /**
   * Counts what the database's sessions touched while `work` ran. Other sessions' work is in it: have none, or take the
   * least of several.
   */
  measure(work: () => Promise<unknown>): Promise<Touched>;
  close(): Promise<void>;
}

/** A server needs these settings, from its start, before it can be measured. */
export const METERED = [
  `ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`,
  `ALTER SYSTEM SET pg_stat_statements.max = 20000`,
  // What vacuum moves about is nobody's operation.
  `ALTER SYSTEM SET autovacuum = off`,
] as const;

/**
 * A meter of the database at `url`. It counts by pg_stat_statements, which every session writes at the end of each statement:
 * exact at once, without waiting for statistics to be flushed. Its own session is on the database `postgres`, which is not
 * counted.
 *
 * @param url of a superuser, on a server that was started with `METERED`
 */
export async function openBlockMeter(url: string): Promise<BlockMeter> {
  const target = new URL(url);
  const database = target.pathname.slice(1);
  target.pathname = '/postgres';
  const client = new pg.Client({ connectionString: target.href });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  const { rows } = await client.query<{ oid: number }>('SELECT oid FROM pg_database WHERE datname = $1', [
    database,
  ]);
  const oid = rows[0]?.oid;
  return {
    async measure(work) {
      await client.query('SELECT pg_stat_statements_reset(0, $1::oid, 0)', [oid]);
      const from = performance.now();
      await work();
      const ms = performance.now() - from;
      const { rows: statements } = await client.query<{ statement: string; blocks: string; rows: string }>(
        `SELECT query AS statement, rows, shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read
           + temp_blks_read + temp_blks_written AS blocks
         FROM pg_stat_statements WHERE dbid = $1 ORDER BY blocks DESC`,
        [oid],
      );
      return {
        ms,
        blocks: statements.reduce((sum, { blocks }) => sum + Number(blocks), 0),
        rows: statements.reduce((sum, { rows: count }) => sum + Number(count), 0),
        heaviest: statements
          .slice(0, 3)
          .map(({ statement, blocks }) => ({ statement, blocks: Number(blocks) })),
      };
    },
    close: () => client.end(),
  };
}

/** The run of fewest blocks, since what the sessions did besides is least in it, with the median of the times. */
export async function leastOf(
  meter: BlockMeter,
  times: number,
  work: (time: number) => Promise<unknown>,
): Promise<Touched> {
  const runs: Touched[] = [];
  for (let time = 0; time < times; time++) runs.push(await meter.measure(() => work(time)));
  const least = runs.toSorted((one, other) => one.blocks - other.blocks)[0];
  const middle = runs.toSorted((one, other) => one.ms - other.ms)[runs.length >> 1];
  if (!least || !middle) throw new RangeError('measured no time at all');
  return { ...least, ms: middle.ms };
}

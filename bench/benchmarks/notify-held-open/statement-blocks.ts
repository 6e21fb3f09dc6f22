import type { Place } from '../notify-ground/ground.ts';

/** What each statement has cost so far, by its text. */
export type StatementBlocks = ReadonlyMap<
  string,
  { readonly calls: number; readonly blocks: number; readonly rows: number }
>;

/** Settings of a server that counts the blocks of statements. */
export const COUNTS_BLOCKS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=10000',
  'pg_stat_statements.track=top',
] as const;

/** A statement that touches more blocks a call than it did. */
export interface Grown {
  readonly statement: string;
  readonly before: number;
  readonly after: number;
  /** In the later time. */
  readonly calls: number;
}

/** Calls are few where chance decides. */
const FEWEST_CALLS = 10;
/** What a deeper index and a cache's chance make. */
const GREW = 1.5;
const MORE_BLOCKS = 8;

export async function readStatementBlocks(place: Place): Promise<StatementBlocks> {
  const rows = await place.query<{ statement: string; calls: string; blocks: string; rows: string }>(
    `SELECT query AS statement, sum(calls) AS calls, sum(rows) AS rows, sum(shared_blks_hit + shared_blks_read) AS blocks
     FROM pg_stat_statements WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY query`,
  );
  return new Map(
    rows.map(({ statement, calls, blocks, rows: count }) => [
      statement,
      { calls: Number(calls), blocks: Number(blocks), rows: Number(count) },
    ]),
  );
}

/** Statements whose blocks a call grew between two times, worst first. Each time is what was read at its two ends. */
export function grownStatements(
  early: readonly [StatementBlocks, StatementBlocks],
  late: readonly [StatementBlocks, StatementBlocks],
): readonly Grown[] {
  return [...late[1].keys()]
    .flatMap((statement) => {
      const [before, after] = [perCall(early, statement), perCall(late, statement)];
      if (!before || !after || after.blocks <= before.blocks * GREW + MORE_BLOCKS) return [];
      // A call for more rows touches more: where the load makes larger batches, the row decides.
      if (after.aRow <= before.aRow * GREW) return [];
      return [{ statement, before: before.blocks, after: after.blocks, calls: after.calls }];
    })
    .sort((a, b) => b.after * b.calls - a.after * a.calls);
}

function perCall(
  [from, until]: readonly [StatementBlocks, StatementBlocks],
  statement: string,
): { calls: number; blocks: number; aRow: number } | undefined {
  const [first, last] = [from.get(statement), until.get(statement)];
  const calls = (last?.calls ?? 0) - (first?.calls ?? 0);
  if (calls < FEWEST_CALLS) return undefined;
  const blocks = (last?.blocks ?? 0) - (first?.blocks ?? 0);
  const rows = (last?.rows ?? 0) - (first?.rows ?? 0);
  return { calls, blocks: blocks / calls, aRow: blocks / Math.max(rows, calls) };
}

import type { Queryable } from '../../../src/platform/postgres/postgres.js';
import { GONE, MOVED, OF_MIGRATING } from './places.js';

/** Tables, each with its rows as text in order. */
export type Contents = ReadonlyMap<string, Table>;
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly string[];
}

/** The rows that a query gives, each as text, in the order of these texts. */
export async function rowsOf(postgres: Queryable, query: string): Promise<string[]> {
  const { rows } = await postgres.query<{ row: string }>(
    `SELECT to_jsonb(q)::text AS row FROM (${query}) AS q`,
  );
  return rows.map(({ row }) => row).sort();
}

const TABLES = `
  SELECT c.relname AS name, array_agg(quote_ident(a.attname) ORDER BY a.attname) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
  GROUP BY c.relname`;

/** All tables of a former version, but for rows that are meant to go; a partition's rows are those of the whole. */
export async function readFormer(postgres: Queryable): Promise<Contents> {
  const tables = await postgres.query<{ name: string; columns: string[] }>(TABLES, [OF_MIGRATING]);
  const contents = new Map<string, Table>();
  for (const { name, columns } of tables.rows) {
    const kept = GONE[name] ? `WHERE NOT (${GONE[name]})` : '';
    contents.set(name, {
      columns,
      rows: await rowsOf(postgres, `SELECT ${columns.join(', ')} FROM ${name} ${kept}`),
    });
  }
  return contents;
}

/**
 * What of these tables is not where it should be, or should not be there. Of a table without a place, an error.
 *
 * @returns by table, and none where all is well
 */
export async function findLosses(postgres: Queryable, former: Contents): Promise<Record<string, object>> {
  const losses: Record<string, object> = {};
  for (const [name, { columns, rows }] of former) {
    const place = MOVED[name] ? `(${MOVED[name]}) AS place` : name;
    const found = await rowsOf(postgres, `SELECT ${columns.join(', ')} FROM ${place}`).catch(
      (error: Error) => error,
    );
    if (found instanceof Error) losses[name] = { error: found.message };
    else if (found.join('\n') !== rows.join('\n'))
      losses[name] = { lost: without(rows, found), added: without(found, rows) };
  }
  return losses;
}

const without = (rows: readonly string[], others: readonly string[]): string[] => {
  const there = new Set(others);
  return rows.filter((row) => !there.has(row)).slice(0, 5);
};

/** Tables and partitions that hold no row, and columns in which no row of the whole table has a value. */
export async function findUnfilled(postgres: Queryable): Promise<string[]> {
  const leaves = await postgres.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const unfilled: string[] = [];
  for (const { name } of leaves.rows)
    if ((await rowsOf(postgres, `SELECT FROM ${name} LIMIT 1`)).length === 0) unfilled.push(name);
  for (const [name, { columns }] of await readFormer(postgres)) {
    const counts = columns.map((column) => `count(${column}) AS ${column}`).join(', ');
    const { rows } = await postgres.query<Record<string, number>>(`SELECT ${counts} FROM ${name}`);
    const lacking = Object.entries(rows[0]!).filter(([, values]) => values === 0);
    unfilled.push(...lacking.map(([column]) => `${name}.${column}`));
  }
  return unfilled;
}

/** How far each sequence has come. */
export async function readSequences(postgres: Queryable): Promise<ReadonlyMap<string, number>> {
  const { rows } = await postgres.query<{ name: string; value: number }>(
    "SELECT sequencename AS name, coalesce(last_value, 0) AS value FROM pg_sequences WHERE schemaname = 'public'",
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}

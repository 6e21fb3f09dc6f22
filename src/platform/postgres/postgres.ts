import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { withinMs } from '../deadline.js';
import { currentReader } from '../wake-ups/reader.js';
import { createClient, createPool, type PoolOptions } from './clients.js';
import { arrayParameter } from './postgres-arrays.js';
import { queryUntilGone } from './postgres-cancel.js';

/** Anything that runs a statement: the pool, or one client inside a transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | Statement<Row>,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/** A statement from a `.sql` file; its name makes it a prepared statement on each connection. */
export interface Statement<Row extends pg.QueryResultRow = pg.QueryResultRow> {
  readonly name: string;
  readonly text: string;
  /** Never there: the type of the rows that it returns, as Postgres says. */
  readonly row?: Row;
}

/** The type of the rows that a statement returns. */
export type RowOf<S extends Statement> = NonNullable<S['row']>;

/** The process's connections to Postgres. */
export interface Postgres extends Queryable {
  readonly pool: pg.Pool;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Runs one statement on a connection made for it: for a second try, when those of the pool are in doubt. */
  queryAfresh<Row extends pg.QueryResultRow>(
    statement: Statement<Row>,
    values: readonly unknown[],
    timeoutMs: number,
  ): Promise<pg.QueryResult<Row>>;
  /** Waits for what runs, 2 s at most; a connection that does not part by then is left to the process's end. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

// bigint columns here are positions, counts and minor units below 2^53: numbers, not strings.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} does not fit a JavaScript number`);
  return value;
});

/**
 * Opens a pool of at most `max` connections on `url`.
 * Connections are made on first use; an idle connection that breaks is replaced, never thrown.
 */
export function openPostgres(url: string, options: PoolOptions): Postgres {
  const pool = createPool(url, options);
  return {
    pool,
    query: (statement, values) => runOn(pool, statement, values),
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work({ query: (statement, values) => runOn(client, statement, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        // Behind a statement that got no answer, a ROLLBACK would get none either.
        if (isConnectionError(error)) broken = error;
        else
          await client.query('ROLLBACK').catch((rollbackError: Error) => {
            broken = rollbackError;
          });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async queryAfresh(statement, values, timeoutMs) {
      const client = createClient(url, options, { connectionTimeoutMillis: timeoutMs });
      try {
        await client.connect();
        return await runOn(client, statement, values, timeoutMs);
      } finally {
        // Its Terminate is on its way; whether the other side says goodbye too is nobody's concern.
        void client.end().catch(() => undefined);
      }
    },
    close: () => withinMs(CLOSE_MS, pool.end()).catch(options.onError),
  };
}

/**
 * The connection broke, gave no answer in time, or could not be made since the server is going down, coming up or
 * moving: the call may or may not have had its effect. Prisma says so with codes of its own.
 */
export const isConnectionError = (error: unknown): error is Error =>
  error instanceof pg.DatabaseError
    ? /^(08|57P0|53300|25006|25P0[34])/.test(error.code ?? '')
    : error instanceof Error &&
      /^(P10(01|02|08|17)$|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_AGAIN)|Connection terminated|not queryable|time(out|d out)/.test(
        (error as NodeJS.ErrnoException).code ?? error.message,
      );

/** A lock did not come within `lock_timeout`, or two transactions waited for each other: made again, it may succeed. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '55P03' || error.code === '40P01');

/**
 * SQLSTATE class 22 (data), 23 (constraints), 54 (too large) and P0 (raised by a function of ours): the fault of what
 * was given, not of the connection.
 */
export const isDataError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(2[23]|54|P0)/.test(error.code ?? '') && !lacksPartition(error);

/** The table has no partition for a row: nobody has made the next one in time. A broken CHECK has a name. */
export const lacksPartition = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined;

/**
 * Runs a named or plain statement on any pg client or pool; on a pool it is cancelled when the reader for whom alone it runs
 * has gone.
 *
 * @param timeoutMs instead of the connection's own; a pool drops the client whose answer did not come by then
 */
export function runOn<Row extends pg.QueryResultRow>(
  on: Pick<pg.ClientBase, 'query'> | pg.Pool,
  statement: string | Statement<Row>,
  values?: readonly unknown[],
  timeoutMs?: number,
): Promise<pg.QueryResult<Row>> {
  const config = {
    ...(typeof statement === 'string' ? { text: statement } : { name: statement.name, text: statement.text }),
    values: values?.map((value) => (Array.isArray(value) ? arrayParameter(value) : value)) ?? [],
    ...(timeoutMs === undefined ? {} : { query_timeout: timeoutMs }),
  };
  const reader = on instanceof pg.Pool ? currentReader() : undefined;
  return reader ? queryUntilGone<Row>(on as pg.Pool, reader.signal, config) : on.query(config);
}

/**
 * The text of a `.sql` file in which each `{name}` is replaced by what stands under `-- part: name` at its head, up to an
 * empty line: columns that several statements return.
 */
export function withParts(source: string): string {
  const parts = new Map<string, string>();
  for (const [, name = '', text = ''] of source.matchAll(/^-- part: (\w+)\n(.+(?:\n.+)*)/gm))
    parts.set(name, text);
  return source.replaceAll(/\{(\w+)\}/g, (given, name: string) => parts.get(name) ?? given);
}

/**
 * Reads a `.sql` file of named statements. Each starts with a line `-- name: camelCaseName`;
 * comments after it say what goes in and what comes out. Parts that they share stand before the first: see `withParts`.
 *
 * Called by what `npm run sql:types` writes beside the file, which declares what Postgres says of the statements' rows.
 *
 * @param file usually `new URL('./posts.sql', import.meta.url)`
 */
export function loadStatements<Statements extends Record<keyof Statements, Statement>>(
  file: URL,
): Statements {
  const prefix = path.posix.basename(file.pathname, '.sql');
  const parts = withParts(readFileSync(file, 'utf8'))
    .split(/^-- name: /m)
    .slice(1);
  const found = parts.map((part) => {
    const end = part.indexOf('\n');
    const name = part.slice(0, end).trim();
    const text = part
      .slice(end + 1)
      .trim()
      .replace(/;\s*$/, '');
    return [name, { name: `${prefix}.${name}`, text }] as const;
  });
  return Object.fromEntries(found) as unknown as Statements;
}

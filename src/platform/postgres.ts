import { readFileSync } from 'node:fs';
import pg from 'pg';

/** Anything that runs a statement: the pool, or one client inside a transaction. */
export interface Queryable {
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<pg.QueryResult<Row>>;
}

/** A statement from a `.sql` file; its name makes it a prepared statement on each connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The process's connections to Postgres. */
export interface Postgres extends Queryable {
  readonly pool: pg.Pool;
  /** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

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
export function openPostgres(
  url: string,
  options: { max: number; applicationName: string; onError: (error: Error) => void },
): Postgres {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', options.onError);
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
        await client.query('ROLLBACK').catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}

/** Runs a named or plain statement on any pg client or pool. */
export function runOn<Row extends pg.QueryResultRow>(
  on: Pick<pg.ClientBase, 'query'> | pg.Pool,
  statement: string | Statement,
  values?: readonly unknown[],
): Promise<pg.QueryResult<Row>> {
  const config =
    typeof statement === 'string' ? { text: statement } : { name: statement.name, text: statement.text };
  return on.query<Row>({ ...config, values: values ? [...values] : [] });
}

/**
 * Reads a `.sql` file of named statements. Each starts with a line `-- name: camelCaseName`;
 * comments after it say what goes in and what comes out.
 *
 * @param file usually `new URL('./posts.sql', import.meta.url)`
 * @param names every statement that the caller uses; a missing or unused one throws at start, not at run time
 */
export function loadStatements<Name extends string>(
  file: URL,
  names: readonly Name[],
): Record<Name, Statement> {
  const found = new Map<string, Statement>();
  const prefix = file.pathname
    .split('/')
    .at(-1)!
    .replace(/\.sql$/, '');
  for (const part of readFileSync(file, 'utf8')
    .split(/^-- name: /m)
    .slice(1)) {
    const end = part.indexOf('\n');
    const name = part.slice(0, end).trim();
    found.set(name, {
      name: `${prefix}.${name}`,
      text: part
        .slice(end + 1)
        .trim()
        .replace(/;\s*$/, ''),
    });
  }
  const missing = names.filter((name) => !found.has(name));
  const unused = [...found.keys()].filter((name) => !(names as readonly string[]).includes(name));
  if (missing.length || unused.length) {
    throw new Error(`${file.pathname}: missing statements [${missing}], unused statements [${unused}]`);
  }
  return Object.fromEntries(found) as Record<Name, Statement>;
}

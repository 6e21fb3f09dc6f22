import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { MigrationError, readable } from './migration-error.js';

/**
 * Replaces the SQL functions of a folder, in name order and in one transaction: one file, one
 * `CREATE OR REPLACE FUNCTION`. Does nothing when the database holds these very texts already, written after these very
 * migrations: a migration may have dropped a function together with what it stood on.
 *
 * @param migrations names of all migrations that are applied
 * @returns whether it replaced them
 * @throws MigrationError naming the file that Postgres refused; then none is replaced. A function whose
 *   result type changes must be dropped by a migration first
 */
export async function applyFunctions(
  client: pg.Client,
  folder: URL,
  migrations: readonly string[],
): Promise<boolean> {
  const functions = await readFunctions(folder);
  const hash = createHash('sha256').update(JSON.stringify(functions)).digest('hex');
  await client.query('BEGIN');
  try {
    await client.query(RECORD);
    const { rows } = await client.query(
      'SELECT FROM _tidings_functions WHERE hash = $1 AND migrations @> $2 AND migrations <@ $2',
      [hash, migrations],
    );
    const changed = rows.length === 0;
    if (changed) {
      await replace(client, functions);
      await client.query('DELETE FROM _tidings_functions');
      await client.query('INSERT INTO _tidings_functions VALUES ($1, now(), $2)', [hash, migrations]);
    }
    await client.query('COMMIT');
    return changed;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** Which functions are in the database, and which migrations were applied when they were written. */
const RECORD = `
  CREATE TABLE IF NOT EXISTS _tidings_functions (hash TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL);
  ALTER TABLE _tidings_functions ADD COLUMN IF NOT EXISTS migrations TEXT[]`;

async function readFunctions(folder: URL) {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  );
}

async function replace(
  client: pg.Client,
  functions: Awaited<ReturnType<typeof readFunctions>>,
): Promise<void> {
  for (const { name, sql } of functions) {
    try {
      await client.query(sql);
    } catch (error) {
      throw new MigrationError(`prisma/functions/${name} failed: ${readable(error, sql)}`, { cause: error });
    }
  }
}

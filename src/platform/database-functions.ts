import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import { MigrationError, readable } from './migration-error.js';

/**
 * Replaces the SQL functions of a folder, in name order and in one transaction: one file, one
 * `CREATE OR REPLACE FUNCTION`. Does nothing when the database holds these very texts already.
 *
 * @returns whether it replaced them
 * @throws MigrationError naming the file that Postgres refused; then none is replaced. A function whose
 *   result type changes must be dropped by a migration first
 */
export async function applyFunctions(
  client: pg.Client,
  folder: URL,
  options: { readonly evenIfSame: boolean },
): Promise<boolean> {
  const functions = await readFunctions(folder);
  const hash = createHash('sha256').update(JSON.stringify(functions)).digest('hex');
  await client.query('BEGIN');
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS _tidings_functions (hash TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL)',
    );
    const { rows } = await client.query<{ hash: string }>('SELECT hash FROM _tidings_functions');
    const changed = options.evenIfSame || rows[0]?.hash !== hash;
    if (changed) await replace(client, functions, hash);
    await client.query('COMMIT');
    return changed;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

interface FunctionFile {
  readonly name: string;
  readonly sql: string;
}

async function readFunctions(folder: URL): Promise<readonly FunctionFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, sql: await readFile(new URL(name, folder), 'utf8') })),
  );
}

async function replace(client: pg.Client, functions: readonly FunctionFile[], hash: string): Promise<void> {
  for (const { name, sql } of functions) {
    try {
      await client.query(sql);
    } catch (error) {
      throw new MigrationError(`prisma/functions/${name} failed: ${readable(error, sql)}`, { cause: error });
    }
  }
  await client.query('DELETE FROM _tidings_functions');
  await client.query('INSERT INTO _tidings_functions (hash, applied_at) VALUES ($1, now())', [hash]);
}

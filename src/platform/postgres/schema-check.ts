import { readdir } from 'node:fs/promises';
import type { Postgres } from './postgres.js';

/** Where schema.prisma, migrations/ and functions/ lie: the same from `src/` and from `dist/`. A URL that ends in `/`. */
export const prismaFolder = new URL('../../../prisma/', import.meta.url);

/** Names of the migrations of such a folder, in the order in which they are applied. */
export async function migrationNames(folder: URL): Promise<string[]> {
  const entries = await readdir(new URL('migrations/', folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Names of the SQL functions of such a folder. Each stands in a file of its name. */
async function functionNames(folder: URL): Promise<string[]> {
  const names = await readdir(new URL('functions/', folder));
  return names.filter((name) => name.endsWith('.sql')).map((name) => name.slice(0, -'.sql'.length));
}

/**
 * Fails until `tidings migrate` has ended. A process that wrote between two migrations would write what the next one removes, and
 * functions are written after all migrations. A database that a later version has migrated will do; so will functions of other
 * texts, since a process of the version before must start again beside a later one.
 *
 * @throws Error saying what is missing
 */
export async function assertMigrated(
  postgres: Pick<Postgres, 'query'>,
  folder = prismaFolder,
): Promise<void> {
  const { rows } = await postgres.query<Lacking>(LACKING, [
    await migrationNames(folder),
    await functionNames(folder),
  ]);
  const [{ migration, afterFunctions, functionName } = {} as Lacking] = rows;
  if (migration) throw new Error(`migration ${migration} is missing`);
  if (afterFunctions) throw new Error(`its functions are older than migration ${afterFunctions}`);
  if (functionName) throw new Error(`function ${functionName} is missing`);
}

/** The first of each kind; null: none. */
interface Lacking {
  readonly migration: string | null;
  readonly afterFunctions: string | null;
  readonly functionName: string | null;
}

/** A later version may have dropped functions of this one. */
const LACKING = `
  WITH applied AS (
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
  ), written AS (SELECT coalesce(migrations, '{}') AS after FROM _tidings_functions)
  SELECT
    (SELECT min(name) FROM unnest($1::text[]) name WHERE name NOT IN (SELECT name FROM applied)) AS migration,
    (SELECT min(name) FROM unnest($1::text[]) name
     WHERE NOT EXISTS (SELECT FROM written WHERE name = ANY (after))) AS "afterFunctions",
    (SELECT min(name) FROM unnest($2::text[]) name
     WHERE NOT EXISTS (SELECT FROM pg_proc WHERE proname = name AND pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))
       AND NOT EXISTS (SELECT FROM written WHERE NOT after <@ $1)) AS "functionName"`;

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { assertMigrated } from '../../src/platform/postgres/schema-check.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let pool: pg.Pool;
/** What was released one after the other. */
let first: URL;
let second: URL;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  first = await folder(['1_notes'], ['answer']);
  second = await folder(['1_notes', '2_more'], ['answer', 'reply']);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
  await Promise.all([first, second].map((url) => rm(url, { recursive: true })));
});

async function folder(migrations: readonly string[], functions: readonly string[]): Promise<URL> {
  const at = await mkdtemp(path.join(tmpdir(), 'tidings-schema-'));
  await writeFile(path.join(at, 'schema.prisma'), 'datasource db {\n  provider = "postgresql"\n}\n');
  for (const name of migrations) {
    await mkdir(path.join(at, 'migrations', name), { recursive: true });
    const table = `CREATE TABLE "${name}" (id INT);`;
    await writeFile(path.join(at, 'migrations', name, 'migration.sql'), table);
  }
  await mkdir(path.join(at, 'functions'));
  for (const name of functions) {
    const text = `CREATE OR REPLACE FUNCTION ${name}() RETURNS INT LANGUAGE sql AS $$ SELECT 42 $$;`;
    await writeFile(path.join(at, 'functions', `${name}.sql`), text);
  }
  return pathToFileURL(`${at}/`);
}

const migrateTo = (version: URL) => migrate(database.url, { folder: version });
const check = (version: URL) => assertMigrated(pool, version);

test('a database that nobody has migrated will not do', async () => {
  await expect(check(first)).rejects.toThrow('relation "_prisma_migrations" does not exist');
});

test('a database that was migrated will do, for a former version too', async () => {
  await migrateTo(first);
  await check(first);
  await expect(check(second)).rejects.toThrow('migration 2_more is missing');
  await migrateTo(second);
  await check(second);
  await check(first);
});

test('a migration that was begun or rolled back does not count', async () => {
  await migrateTo(second);
  await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_more'`);
  await expect(check(second)).rejects.toThrow('migration 2_more is missing');
  await pool.query(`UPDATE _prisma_migrations SET finished_at = now(), rolled_back_at = now()`);
  await expect(check(second)).rejects.toThrow('migration 1_notes is missing');
});

test('between its migrations and its functions a database will not do, and the next run writes them', async () => {
  await migrateTo(first);
  const [before] = (await pool.query('SELECT * FROM _tidings_functions')).rows;
  await migrateTo(second);
  await pool.query('DELETE FROM _tidings_functions');
  await pool.query('INSERT INTO _tidings_functions VALUES ($1, $2, $3)', Object.values(before));
  await expect(check(second)).rejects.toThrow('its functions are older than migration 2_more');
  await check(first);
  expect(await migrateTo(second)).toEqual({ migrations: [], functionsReplaced: true });
  await check(second);
});

test('what a version before this table had its migrations wrote will not do until it is migrated again', async () => {
  await migrateTo(first);
  await pool.query('UPDATE _tidings_functions SET migrations = NULL');
  await expect(check(first)).rejects.toThrow('its functions are older than migration 1_notes');
  await migrateTo(first);
  await check(first);
});

test('a function without a migration is missed too, unless a later version has dropped it', async () => {
  await migrateTo(first);
  await pool.query('DROP FUNCTION answer()');
  await expect(check(first)).rejects.toThrow('function answer is missing');
  await migrateTo(second);
  await pool.query('DROP FUNCTION answer()');
  await check(first);
});

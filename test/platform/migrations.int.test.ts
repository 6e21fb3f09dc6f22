import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MigrationError, migrate } from '../../src/platform/migrations.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let folder: string;
let options: { folder: URL };

beforeEach(async () => {
  database = await createTestDatabase();
  await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-migrations-'));
  options = { folder: pathToFileURL(`${folder}/`) };
  await put('schema.prisma', 'datasource db {\n  provider = "postgresql"\n}\n');
  await put(
    'functions/answer.sql',
    'CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT 42 $$;',
  );
  await put('migrations/1_notes/migration.sql', 'CREATE TABLE notes (id INT PRIMARY KEY);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('processes that migrate at once apply everything once', async () => {
  const outcomes = await Promise.all([1, 2, 3].map(() => migrate(database.url, options)));
  expect(outcomes.flatMap((outcome) => outcome.migrations)).toEqual(['1_notes']);
  expect(outcomes.filter((outcome) => outcome.functionsReplaced)).toHaveLength(1);
  expect(await query('SELECT answer() AS it')).toEqual([{ it: 42 }]);
});

test('a migration may hold triggers and bodies with semicolons', async () => {
  await put(
    'migrations/2_keep/migration.sql',
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'kept; always'; END; $$;
     CREATE TRIGGER keep BEFORE DELETE ON notes FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
  );
  await migrate(database.url, options);
  await expect(query('DELETE FROM notes')).rejects.toThrow('kept; always');
});

test('a migration that fails names itself and its line, leaves nothing, and may run again once mended', async () => {
  await put('migrations/2_bad/migration.sql', 'CREATE TABLE more (id INT);\nCREATE TABLE bad (id NOSUCH);');
  const failed = migrate(database.url, options);
  await expect(failed).rejects.toThrow(MigrationError);
  await expect(failed).rejects.toThrow('migration 2_bad failed: type "nosuch" does not exist (line 2)');
  await put('migrations/2_bad/migration.sql', 'CREATE TABLE more (id INT);');
  expect((await migrate(database.url, options)).migrations).toEqual(['2_bad']);
});

test('functions are replaced when a text changes, all or none', async () => {
  await migrate(database.url, options);
  await put(
    'functions/answer.sql',
    'CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT 43 $$;',
  );
  await put('functions/broken.sql', 'CREATE OR REPLACE FUNCTION broken() nonsense');
  await expect(migrate(database.url, options)).rejects.toThrow('prisma/functions/broken.sql failed');
  expect(await query('SELECT answer() AS it')).toEqual([{ it: 42 }]);
  await rm(path.join(folder, 'functions/broken.sql'));
  expect(await migrate(database.url, options)).toEqual({ migrations: [], functionsReplaced: true });
  expect(await migrate(database.url, options)).toEqual({ migrations: [], functionsReplaced: false });
});

test('a database that is not there is one readable line', async () => {
  await expect(migrate('postgresql://127.0.0.1:1/none', options)).rejects.toThrow(
    'the database is not reachable: connect ECONNREFUSED 127.0.0.1:1',
  );
});

async function put(name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function query(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

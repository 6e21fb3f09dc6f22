import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { MigrationError, migrate } from '../../src/platform/postgres/migrations.js';
import { openMigrations } from './migrations-world.js';

const world = openMigrations();

test('processes that migrate at once apply everything once', async () => {
  const outcomes = await Promise.all([1, 2, 3].map(() => migrate(world.url, world.options)));
  expect(outcomes.flatMap((outcome) => outcome.migrations)).toEqual(['1_notes']);
  expect(outcomes.filter((outcome) => outcome.functionsReplaced)).toHaveLength(1);
  expect(await world.query('SELECT answer() AS it')).toEqual([{ it: 42 }]);
});

test('processes that migrate at once build an index concurrently without waiting for each other', async () => {
  await world.put('migrations/2_index/migration.sql', 'CREATE INDEX CONCURRENTLY notes_again ON notes (id);');
  const outcomes = await Promise.all([1, 2, 3].map(() => migrate(world.url, world.options)));
  expect(outcomes.flatMap((outcome) => outcome.migrations)).toEqual(['1_notes', '2_index']);
});

test('a migration may hold triggers and bodies with semicolons', async () => {
  await world.put(
    'migrations/2_keep/migration.sql',
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'kept; always'; END; $$;
     CREATE TRIGGER keep BEFORE DELETE ON notes FOR EACH STATEMENT EXECUTE FUNCTION refuse();`,
  );
  await migrate(world.url, world.options);
  await expect(world.query('DELETE FROM notes')).rejects.toThrow('kept; always');
});

test('a migration that fails names itself and its line, leaves nothing, and may run again once mended', async () => {
  await world.put(
    'migrations/2_bad/migration.sql',
    'CREATE TABLE more (id INT);\nCREATE TABLE bad (id NOSUCH);',
  );
  const failed = migrate(world.url, world.options);
  await expect(failed).rejects.toThrow(MigrationError);
  await expect(failed).rejects.toThrow('migration 2_bad failed: type "nosuch" does not exist (line 2)');
  await world.put('migrations/2_bad/migration.sql', 'CREATE TABLE more (id INT);');
  expect((await migrate(world.url, world.options)).migrations).toEqual(['2_bad']);
});

test('a migration that commits step by step keeps what it did where it is cut short, and goes on from there', async () => {
  await migrate(world.url, world.options);
  await world.query('CREATE TABLE done (step INT); CREATE TABLE allowed (step INT)');
  await world.put(
    'migrations/2_steps/migration.sql',
    `-- The only statement.
     DO $$ BEGIN
       FOR n IN 1 .. 3 LOOP
         CONTINUE WHEN EXISTS (SELECT FROM done WHERE step = n);
         IF n = 3 THEN PERFORM step / (SELECT count(*) FROM allowed) FROM done; END IF;
         INSERT INTO done VALUES (n);
         COMMIT;
       END LOOP;
     END; $$;`,
  );
  await expect(migrate(world.url, world.options)).rejects.toThrow(
    'migration 2_steps failed: division by zero',
  );
  expect(await world.query('SELECT step FROM done ORDER BY step')).toEqual([{ step: 1 }, { step: 2 }]);
  await world.query('INSERT INTO allowed VALUES (1)');
  expect((await migrate(world.url, world.options)).migrations).toEqual(['2_steps']);
  expect(await world.query('SELECT step FROM done ORDER BY step')).toEqual([
    { step: 1 },
    { step: 2 },
    { step: 3 },
  ]);
  expect((await migrate(world.url, world.options)).migrations).toEqual([]);
});

test('a former version leaves the functions of a later one alone', async () => {
  await migrate(world.url, world.options);
  const later = await mkdtemp(path.join(tmpdir(), 'tidings-migrations-'));
  await cp(world.folder, later, { recursive: true });
  await world.put('migrations/2_more/migration.sql', 'ALTER TABLE notes ADD COLUMN more INT;', later);
  const answer = 'CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT 43 $$;';
  await world.put('functions/answer.sql', answer, later);
  const asLater = { folder: pathToFileURL(`${later}/`) };
  expect(await migrate(world.url, asLater)).toEqual({ migrations: ['2_more'], functionsReplaced: true });
  expect(await migrate(world.url, world.options)).toEqual({ migrations: [], functionsReplaced: false });
  expect(await world.query('SELECT answer() AS it')).toEqual([{ it: 43 }]);
  expect(await migrate(world.url, asLater)).toEqual({ migrations: [], functionsReplaced: false });
  await rm(later, { recursive: true });
});

test('a migration that takes long says so from time to time', async () => {
  await migrate(world.url, world.options);
  await world.put(
    'migrations/2_long/migration.sql',
    "SELECT pg_sleep_until(clock_timestamp() + interval '1 s');",
  );
  const lines: string[] = [];
  await migrate(world.url, { ...world.options, say: (line) => lines.push(line), sayEveryMs: 20 });
  expect(lines[0]).toMatch(/^2_long has been running for \d+ s$/);
});

test('functions are replaced when a text changes, all or none', async () => {
  await migrate(world.url, world.options);
  await world.put(
    'functions/answer.sql',
    'CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT 43 $$;',
  );
  await world.put('functions/broken.sql', 'CREATE OR REPLACE FUNCTION broken() nonsense');
  await expect(migrate(world.url, world.options)).rejects.toThrow('prisma/functions/broken.sql failed');
  expect(await world.query('SELECT answer() AS it')).toEqual([{ it: 42 }]);
  await rm(path.join(world.folder, 'functions/broken.sql'));
  expect(await migrate(world.url, world.options)).toEqual({ migrations: [], functionsReplaced: true });
  expect(await migrate(world.url, world.options)).toEqual({ migrations: [], functionsReplaced: false });
});

test('a database that is not there is one readable line', async () => {
  await expect(migrate('postgresql://127.0.0.1:1/none', world.options)).rejects.toThrow(
    'the database is not reachable: connect ECONNREFUSED 127.0.0.1:1',
  );
});

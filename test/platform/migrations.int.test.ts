import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

test('processes that migrate at once build an index concurrently without waiting for each other', async () => {
  await put('migrations/2_index/migration.sql', 'CREATE INDEX CONCURRENTLY notes_again ON notes (id);');
  const outcomes = await Promise.all([1, 2, 3].map(() => migrate(database.url, options)));
  expect(outcomes.flatMap((outcome) => outcome.migrations)).toEqual(['1_notes', '2_index']);
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

test('a migration that commits step by step keeps what it did where it is cut short, and goes on from there', async () => {
  await migrate(database.url, options);
  await query('CREATE TABLE done (step INT); CREATE TABLE allowed (step INT)');
  await put(
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
  await expect(migrate(database.url, options)).rejects.toThrow('migration 2_steps failed: division by zero');
  expect(await query('SELECT step FROM done ORDER BY step')).toEqual([{ step: 1 }, { step: 2 }]);
  await query('INSERT INTO allowed VALUES (1)');
  expect((await migrate(database.url, options)).migrations).toEqual(['2_steps']);
  expect(await query('SELECT step FROM done ORDER BY step')).toEqual([{ step: 1 }, { step: 2 }, { step: 3 }]);
  expect((await migrate(database.url, options)).migrations).toEqual([]);
});

test('a former version leaves the functions of a later one alone', async () => {
  await migrate(database.url, options);
  const later = await mkdtemp(path.join(tmpdir(), 'tidings-migrations-'));
  await cp(folder, later, { recursive: true });
  await put('migrations/2_more/migration.sql', 'ALTER TABLE notes ADD COLUMN more INT;', later);
  const answer = 'CREATE OR REPLACE FUNCTION answer() RETURNS INT LANGUAGE sql AS $$ SELECT 43 $$;';
  await put('functions/answer.sql', answer, later);
  const asLater = { folder: pathToFileURL(`${later}/`) };
  expect(await migrate(database.url, asLater)).toEqual({ migrations: ['2_more'], functionsReplaced: true });
  expect(await migrate(database.url, options)).toEqual({ migrations: [], functionsReplaced: false });
  expect(await query('SELECT answer() AS it')).toEqual([{ it: 43 }]);
  expect(await migrate(database.url, asLater)).toEqual({ migrations: [], functionsReplaced: false });
  await rm(later, { recursive: true });
});

/** Of milliseconds instead of seconds. */
const lockWaits = { timeoutMs: 100, pauseMs: 50, giveUpAfterMs: 60_000 };
const adding = 'ALTER TABLE notes ADD COLUMN text TEXT;';

/** Somebody who reads a table in a transaction that does not end. */
async function reader(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN; SELECT * FROM notes');
  return client;
}

test('a migration that waits for a long reader lets writes through all the while, and is made once it is gone', async () => {
  await migrate(database.url, options);
  const holder = await reader();
  const writer = new pg.Client({ connectionString: database.url });
  try {
    await writer.connect();
    await writer.query("SET lock_timeout = '5s'");
    await put('migrations/2_text/migration.sql', adding);
    const lines: string[] = [];
    let done = false;
    const migrating = migrate(database.url, { ...options, lockWaits, say: (line) => lines.push(line) });
    void migrating.finally(() => (done = true)).catch(() => undefined);
    await expect.poll(() => lines).toHaveLength(1);
    // Without a limit they would wait until the reader is gone, which is after them.
    for (let id = 0; id < 300; id += 1) await writer.query('INSERT INTO notes (id) VALUES ($1)', [id]);
    await untilLockIsWaitedFor();
    await writer.query('INSERT INTO notes (id) VALUES (300)');
    expect(done).toBe(false);
    await holder.query('COMMIT');
    expect((await migrating).migrations).toEqual(['2_text']);
    expect(lines).toEqual([
      '2_text waits for a lock that others hold: it is tried again and again, for 60 s at most',
    ]);
  } finally {
    await holder.end();
    await writer.end();
  }
});

test('a migration whose lock never comes ends with one line, leaves nothing, and may run again', async () => {
  await migrate(database.url, options);
  await put('migrations/2_text/migration.sql', `CREATE TABLE more (id INT); ${adding}`);
  const holder = await reader();
  try {
    const failed = migrate(database.url, { ...options, lockWaits: { ...lockWaits, giveUpAfterMs: 1_000 } });
    await expect(failed).rejects.toThrow(MigrationError);
    await expect(failed).rejects.toThrow(
      /^migration 2_text failed: others held a lock that it needs for 1 s; it has changed nothing\. [^\n]*$/,
    );
  } finally {
    await holder.end();
  }
  expect((await migrate(database.url, options)).migrations).toEqual(['2_text']);
});

test('rows that others have locked are waited for as tables are', async () => {
  await migrate(database.url, options);
  const holder = await reader();
  try {
    await holder.query('INSERT INTO notes (id) VALUES (1); COMMIT; BEGIN; SELECT * FROM notes FOR UPDATE');
    await put('migrations/2_rows/migration.sql', 'UPDATE notes SET id = id + 1;');
    const lines: string[] = [];
    const migrating = migrate(database.url, { ...options, lockWaits, say: (line) => lines.push(line) });
    await Promise.race([migrating, expect.poll(() => lines).toHaveLength(1)]);
    await holder.query('COMMIT');
    expect((await migrating).migrations).toEqual(['2_rows']);
    expect(await query('SELECT id FROM notes')).toEqual([{ id: 2 }]);
  } finally {
    await holder.end();
  }
});

test('an index that is built concurrently keeps no writer waiting, however long others keep the build waiting', async () => {
  await migrate(database.url, options);
  const holder = await reader();
  try {
    await holder.query('INSERT INTO notes (id) VALUES (1)');
    await put(
      'migrations/2_index/migration.sql',
      '-- Concurrently.\nCREATE INDEX CONCURRENTLY notes_again ON notes (id);\n',
    );
    const giveUpAfterMs = 100;
    const migrating = migrate(database.url, { ...options, lockWaits: { ...lockWaits, giveUpAfterMs } });
    await Promise.race([migrating, untilLockIsWaitedFor(5 * lockWaits.timeoutMs)]);
    await query('INSERT INTO notes (id) VALUES (2)');
    await holder.query('COMMIT');
    expect((await migrating).migrations).toEqual(['2_index']);
    expect(await query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_again'::regclass")).toEqual(
      [{ indisvalid: true }],
    );
  } finally {
    await holder.end();
  }
});

/** Runs `migrate` in a process of its own, kills that once a statement waits for a lock, and lets go of it once none does. */
async function killWaiting(holder: pg.Client): Promise<void> {
  const migrations = new URL('../../dist/platform/migrations.js', import.meta.url).href;
  const code = `import { migrate } from '${migrations}';
    await migrate('${database.url}', { folder: new URL('${options.folder}') });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  await untilLockIsWaitedFor();
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => query(waitsForLock)).toEqual([]);
  await holder.end();
}

describe('a migration whose process was killed is made by the next run', () => {
  const more = 'SELECT pg_advisory_xact_lock(7); CREATE TABLE more (id INT);';
  /** Somebody in whose way the migration stands. */
  async function lockHolder(): Promise<pg.Client> {
    const holder = await reader();
    await holder.query('COMMIT; SELECT pg_advisory_lock(7)');
    return holder;
  }

  test('before it was committed', async () => {
    await migrate(database.url, options);
    await put('migrations/2_more/migration.sql', more);
    await killWaiting(await lockHolder());
    const lines: string[] = [];
    const again = { ...options, say: (line: string) => lines.push(line) };
    expect((await migrate(database.url, again)).migrations).toEqual(['2_more']);
    expect(lines).toEqual([
      '2_more was cut short in an earlier run and has changed nothing: it is made again',
    ]);
    expect(await query('SELECT * FROM more')).toEqual([]);
  });

  test('after it was committed: it is not made twice', async () => {
    await migrate(database.url, options);
    await put('migrations/2_more/migration.sql', 'CREATE TABLE more (id INT);');
    await query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END; $$;
      CREATE TRIGGER hold BEFORE UPDATE ON _prisma_migrations FOR EACH ROW
      WHEN (NEW.applied_steps_count > OLD.applied_steps_count) EXECUTE FUNCTION hold();`);
    await killWaiting(await lockHolder());
    expect((await migrate(database.url, options)).migrations).toEqual([]);
    expect(await query('SELECT * FROM more')).toEqual([]);
  });

  test('while it committed batch by batch: it goes on', async () => {
    await migrate(database.url, options);
    await query('INSERT INTO notes (id) VALUES (1), (2), (3)');
    await put(
      'migrations/2_batches/migration.sql',
      `-- The only statement.
       DO $$ BEGIN
         WHILE EXISTS (SELECT FROM notes WHERE id > 0) LOOP
           UPDATE notes SET id = -id WHERE id = (SELECT min(id) FROM notes WHERE id > 0);
           COMMIT;
           IF (SELECT count(*) FROM notes WHERE id < 0) = 2 THEN PERFORM pg_advisory_xact_lock(7); END IF;
         END LOOP;
       END; $$;`,
    );
    await killWaiting(await lockHolder());
    expect(await query('SELECT id FROM notes ORDER BY id')).toEqual([{ id: -2 }, { id: -1 }, { id: 3 }]);
    expect((await migrate(database.url, options)).migrations).toEqual(['2_batches']);
    expect(await query('SELECT id FROM notes ORDER BY id')).toEqual([{ id: -3 }, { id: -2 }, { id: -1 }]);
  });

  test('while an index is built concurrently', async () => {
    await migrate(database.url, options);
    await put('migrations/2_index/migration.sql', 'CREATE INDEX CONCURRENTLY notes_again ON notes (id);');
    const holder = await reader();
    await holder.query('INSERT INTO notes (id) VALUES (1)');
    await killWaiting(holder);
    expect((await migrate(database.url, options)).migrations).toEqual(['2_index']);
    expect(await query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_again'::regclass")).toEqual(
      [{ indisvalid: true }],
    );
  });

  test('at once, while the server still works for the one that was killed', async () => {
    await migrate(database.url, options);
    await put('migrations/2_more/migration.sql', more);
    const holder = await lockHolder();
    const killed = migrate(database.url, { ...options, lockWaits: { ...lockWaits, timeoutMs: 60_000 } });
    await untilLockIsWaitedFor();
    // Its connection to take turns by is gone, that of its script is not.
    await query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Client')
      AND (classid::bigint << 32 | objid::bigint) = 7246021905`);
    const again = migrate(database.url, options);
    await expect
      .poll(() => query('SELECT FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL'))
      .toHaveLength(1);
    await holder.end();
    await expect(killed).rejects.toThrow('another process has begun this migration anew');
    expect((await again).migrations).toEqual(['2_more']);
  });
});

const waitsForLock = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Until some statement on the database has waited for a lock for so long. */
const untilLockIsWaitedFor = (ms = 0): Promise<void> =>
  expect
    .poll(() => query(`${waitsForLock} AND clock_timestamp() - query_start > interval '${ms} ms'`), {
      interval: 5,
    })
    .not.toEqual([]);

test('a migration that takes long says so from time to time', async () => {
  await migrate(database.url, options);
  await put('migrations/2_long/migration.sql', "SELECT pg_sleep_until(clock_timestamp() + interval '1 s');");
  const lines: string[] = [];
  await migrate(database.url, { ...options, say: (line) => lines.push(line), sayEveryMs: 20 });
  expect(lines[0]).toMatch(/^2_long has been running for \d+ s$/);
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

async function put(name: string, text: string, into = folder): Promise<void> {
  const file = path.join(into, name);
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

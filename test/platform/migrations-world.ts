import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

export const adding = 'ALTER TABLE notes ADD COLUMN text TEXT;';

/** Of milliseconds instead of seconds. */
export const lockWaits = { timeoutMs: 100, pauseMs: 50, giveUpAfterMs: 60_000 };

export const waitsForLock = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** An empty database, and a folder with a migration and a function; made anew for each test of the file. */
export function openMigrations() {
  let database: TestDatabase;
  let folder: string;

  /** Writes a file of the folder. */
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

  beforeEach(async () => {
    database = await createTestDatabase();
    await query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    folder = await mkdtemp(path.join(tmpdir(), 'tidings-migrations-'));
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

  return {
    put,
    query,
    get url(): string {
      return database.url;
    },
    get folder(): string {
      return folder;
    },
    /** What `migrate` gets. */
    get options(): { folder: URL } {
      return { folder: pathToFileURL(`${folder}/`) };
    },
    /** Somebody who reads a table in a transaction that does not end. */
    async reader(): Promise<pg.Client> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query('BEGIN; SELECT * FROM notes');
      return client;
    },
    /** Until some statement on the database has waited for a lock for so long. */
    untilLockIsWaitedFor: (ms = 0): Promise<void> =>
      expect
        .poll(() => query(`${waitsForLock} AND clock_timestamp() - query_start > interval '${ms} ms'`), {
          interval: 5,
        })
        .not.toEqual([]),
  };
}

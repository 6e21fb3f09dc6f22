import pg from 'pg';
import { expect, test } from 'vitest';
import { MigrationError, migrate } from '../../src/platform/postgres/migrations.js';
import { adding, lockWaits, openMigrations } from './migrations-world.js';

const world = openMigrations();

test('a migration that waits for a long reader lets writes through all the while, and is made once it is gone', async () => {
  await migrate(world.url, world.options);
  const holder = await world.reader();
  const writer = new pg.Client({ connectionString: world.url });
  try {
    await writer.connect();
    await writer.query("SET lock_timeout = '5s'");
    await world.put('migrations/2_text/migration.sql', adding);
    const lines: string[] = [];
    let done = false;
    const migrating = migrate(world.url, { ...world.options, lockWaits, say: (line) => lines.push(line) });
    void migrating.finally(() => (done = true)).catch(() => undefined);
    await expect.poll(() => lines).toHaveLength(1);
    // Without a limit they would wait until the reader is gone, which is after them.
    for (let id = 0; id < 300; id += 1) await writer.query('INSERT INTO notes (id) VALUES ($1)', [id]);
    await world.untilLockIsWaitedFor();
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
  await migrate(world.url, world.options);
  await world.put('migrations/2_text/migration.sql', `CREATE TABLE more (id INT); ${adding}`);
  const holder = await world.reader();
  try {
    const failed = migrate(world.url, {
      ...world.options,
      lockWaits: { ...lockWaits, giveUpAfterMs: 1_000 },
    });
    await expect(failed).rejects.toThrow(MigrationError);
    await expect(failed).rejects.toThrow(
      /^migration 2_text failed: others held a lock that it needs for 1 s; it has changed nothing\. [^\n]*$/,
    );
  } finally {
    await holder.end();
  }
  expect((await migrate(world.url, world.options)).migrations).toEqual(['2_text']);
});

test('rows that others have locked are waited for as tables are', async () => {
  await migrate(world.url, world.options);
  const holder = await world.reader();
  try {
    await holder.query('INSERT INTO notes (id) VALUES (1); COMMIT; BEGIN; SELECT * FROM notes FOR UPDATE');
    await world.put('migrations/2_rows/migration.sql', 'UPDATE notes SET id = id + 1;');
    const lines: string[] = [];
    const migrating = migrate(world.url, { ...world.options, lockWaits, say: (line) => lines.push(line) });
    await Promise.race([migrating, expect.poll(() => lines).toHaveLength(1)]);
    await holder.query('COMMIT');
    expect((await migrating).migrations).toEqual(['2_rows']);
    expect(await world.query('SELECT id FROM notes')).toEqual([{ id: 2 }]);
  } finally {
    await holder.end();
  }
});

test('an index that is built concurrently keeps no writer waiting, however long others keep the build waiting', async () => {
  await migrate(world.url, world.options);
  const holder = await world.reader();
  try {
    await holder.query('INSERT INTO notes (id) VALUES (1)');
    await world.put(
      'migrations/2_index/migration.sql',
      '-- Concurrently.\nCREATE INDEX CONCURRENTLY notes_again ON notes (id);\n',
    );
    const giveUpAfterMs = 100;
    const migrating = migrate(world.url, { ...world.options, lockWaits: { ...lockWaits, giveUpAfterMs } });
    await Promise.race([migrating, world.untilLockIsWaitedFor(5 * lockWaits.timeoutMs)]);
    await world.query('INSERT INTO notes (id) VALUES (2)');
    await holder.query('COMMIT');
    expect((await migrating).migrations).toEqual(['2_index']);
    expect(
      await world.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_again'::regclass"),
    ).toEqual([{ indisvalid: true }]);
  } finally {
    await holder.end();
  }
});

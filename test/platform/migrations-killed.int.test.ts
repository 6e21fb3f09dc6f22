import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { lockWaits, openMigrations, waitsForLock } from './migrations-world.js';

const world = openMigrations();

/** Runs `migrate` in a process of its own, kills that once a statement waits for a lock, and lets go of it once none does. */
async function killWaiting(holder: pg.Client): Promise<void> {
  const migrations = new URL('../../dist/platform/postgres/migrations.js', import.meta.url).href;
  const code = `import { migrate } from '${migrations}';
    await migrate('${world.url}', { folder: new URL('${world.options.folder}') });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: 'inherit' });
  const ended = once(child, 'exit');
  await world.untilLockIsWaitedFor();
  child.kill('SIGKILL');
  await ended;
  await expect.poll(() => world.query(waitsForLock)).toEqual([]);
  await holder.end();
}

describe('a migration whose process was killed is made by the next run', () => {
  const more = 'SELECT pg_advisory_xact_lock(7); CREATE TABLE more (id INT);';
  /** Somebody in whose way the migration stands. */
  async function lockHolder(): Promise<pg.Client> {
    const holder = await world.reader();
    await holder.query('COMMIT; SELECT pg_advisory_lock(7)');
    return holder;
  }

  /** That a migration was made is not noted while somebody holds the lock. */
  const holdNotes = () =>
    world.query(`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END; $$;
      CREATE TRIGGER hold BEFORE UPDATE ON _prisma_migrations FOR EACH ROW
      WHEN (NEW.applied_steps_count > OLD.applied_steps_count) EXECUTE FUNCTION hold();`);

  test('before it was committed', async () => {
    await migrate(world.url, world.options);
    await world.put('migrations/2_more/migration.sql', more);
    await killWaiting(await lockHolder());
    const lines: string[] = [];
    const again = { ...world.options, say: (line: string) => lines.push(line) };
    expect((await migrate(world.url, again)).migrations).toEqual(['2_more']);
    expect(lines).toEqual([
      '2_more was cut short in an earlier run and has changed nothing: it is made again',
    ]);
    expect(await world.query('SELECT * FROM more')).toEqual([]);
  });

  test('after it was committed: it is not made twice', async () => {
    await migrate(world.url, world.options);
    await world.put('migrations/2_more/migration.sql', 'CREATE TABLE more (id INT);');
    await holdNotes();
    await killWaiting(await lockHolder());
    expect((await migrate(world.url, world.options)).migrations).toEqual([]);
    expect(await world.query('SELECT * FROM more')).toEqual([]);
  });

  test('while it committed batch by batch: it goes on', async () => {
    await migrate(world.url, world.options);
    await world.query('INSERT INTO notes (id) VALUES (1), (2), (3)');
    await world.put(
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
    expect(await world.query('SELECT id FROM notes ORDER BY id')).toEqual([
      { id: -2 },
      { id: -1 },
      { id: 3 },
    ]);
    expect((await migrate(world.url, world.options)).migrations).toEqual(['2_batches']);
    expect(await world.query('SELECT id FROM notes ORDER BY id')).toEqual([
      { id: -3 },
      { id: -2 },
      { id: -1 },
    ]);
  });

  test('while an index is built concurrently', async () => {
    await migrate(world.url, world.options);
    await world.put(
      'migrations/2_index/migration.sql',
      'CREATE INDEX CONCURRENTLY notes_again ON notes (id);',
    );
    const holder = await world.reader();
    await holder.query('INSERT INTO notes (id) VALUES (1)');
    await killWaiting(holder);
    expect((await migrate(world.url, world.options)).migrations).toEqual(['2_index']);
    expect(
      await world.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_again'::regclass"),
    ).toEqual([{ indisvalid: true }]);
  });

  test('after an index was dropped concurrently, and before that was noted', async () => {
    await migrate(world.url, world.options);
    await world.query('CREATE INDEX notes_again ON notes (id)');
    await world.put('migrations/2_drop/migration.sql', 'DROP INDEX CONCURRENTLY notes_again;');
    await holdNotes();
    await killWaiting(await lockHolder());
    expect(await world.query("SELECT to_regclass('notes_again') AS left")).toEqual([{ left: null }]);
    expect((await migrate(world.url, world.options)).migrations).toEqual(['2_drop']);
  });

  test('at once, while the server still works for the one that was killed', async () => {
    await migrate(world.url, world.options);
    await world.put('migrations/2_more/migration.sql', more);
    const holder = await lockHolder();
    const killed = migrate(world.url, { ...world.options, lockWaits: { ...lockWaits, timeoutMs: 60_000 } });
    await world.untilLockIsWaitedFor();
    // Its connection to take turns by is gone, that of its script is not.
    await world.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Client')
      AND (classid::bigint << 32 | objid::bigint) = 7246021905`);
    const again = migrate(world.url, world.options);
    await expect
      .poll(() => world.query('SELECT FROM _prisma_migrations WHERE rolled_back_at IS NOT NULL'))
      .toHaveLength(1);
    await holder.end();
    await expect(killed).rejects.toThrow('another process has begun this migration anew');
    expect((await again).migrations).toEqual(['2_more']);
  });
});

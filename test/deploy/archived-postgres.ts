import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { type LocalPostgres, startPostgres } from '../../src/local/postgres.js';
import { backUp, handTo } from '../support/base-backup.js';

/** A server that archives its write-ahead log. */
export interface ArchivedPostgres extends LocalPostgres {
  /** Copies the data while the server works, by its own functions: as `pg_basebackup` would. */
  backUp(to: string): Promise<void>;
  /** The server's time; what is committed from now on is later. */
  now(): Promise<string>;
  /** Resolves once everything that was committed is in the archive. */
  archiveAll(): Promise<void>;
}

const say = () => undefined;

/** @param folder Postgres' own user must get through to it */
export async function startArchivedPostgres(folder: string, archive: string): Promise<ArchivedPostgres> {
  const first = await startPostgres({ dataDir: folder, say });
  await mkdir(archive);
  await handTo(archive, first);
  const session = await connect(first);
  await session.query('ALTER SYSTEM SET archive_mode = on');
  await session.query(
    `ALTER SYSTEM SET archive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'`,
  );
  await session.end();
  await first.stop();

  const server = await startPostgres({ dataDir: folder, say });
  async function withSession<T>(work: (session: pg.Client) => Promise<T>): Promise<T> {
    const session = await connect(server);
    return work(session).finally(() => session.end());
  }
  return {
    ...server,
    backUp: (to) => withSession((session) => backUp(server, session, to)),
    now: () =>
      withSession(
        async (session) => (await session.query('SELECT clock_timestamp()::text AS now')).rows[0].now,
      ),
    archiveAll: () =>
      withSession(async (session) => {
        const { rows } = await session.query('SELECT pg_walfile_name(pg_switch_wal()) AS last');
        const isArchived = 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver';
        await expect
          .poll(async () => (await session.query(isArchived, [rows[0].last])).rows[0].done)
          .toBe(true);
      }),
  };
}

/** Starts a server on such a copy, which takes from the archive what was committed until then. */
export async function recover(copy: string, archive: string, until: string): Promise<LocalPostgres> {
  const cluster = path.join(copy, 'cluster');
  await appendFile(
    path.join(cluster, 'postgresql.auto.conf'),
    [
      'archive_mode = off',
      `restore_command = 'cp "${archive}/%f" "%p"'`,
      `recovery_target_time = '${until}'`,
      'recovery_target_action = promote',
      '',
    ].join('\n'),
  );
  await writeFile(path.join(cluster, 'recovery.signal'), '');
  const server = await startPostgres({ dataDir: copy, say });
  // It can be read before, and written once it is done.
  const session = await connect(server);
  const isRecovering = 'SELECT pg_is_in_recovery() AS recovering';
  await expect.poll(async () => (await session.query(isRecovering)).rows[0].recovering).toBe(false);
  await session.end();
  return server;
}

async function connect({ url }: LocalPostgres): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  return session;
}

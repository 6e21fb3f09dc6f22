import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { LocalPostgres } from '../../src/local/postgres.js';

/**
 * Copies the data of a server while it works, by its own functions: as `pg_basebackup` would, which the embedded server does not
 * come with. The copy starts where its log is: in an archive, or on the server that it follows.
 *
 * @param session of its superuser
 */
export async function backUp(server: LocalPostgres, session: pg.Client, to: string): Promise<void> {
  await session.query("SELECT pg_backup_start('copy', fast => true)");
  await copyData(path.join(server.folder, 'cluster'), path.join(to, 'cluster'));
  const { rows } = await session.query('SELECT labelfile FROM pg_backup_stop()');
  await writeFile(path.join(to, 'cluster', 'backup_label'), rows[0].labelfile);
  await cp(path.join(server.folder, 'password'), path.join(to, 'password'));
  await handTo(to, server);
}

/** What a copy must not have, or has no use for: the log comes from the archive, the rest is made anew at each start. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|(pg_wal|pg_replslot|pg_notify|pg_stat_tmp|pg_subtrans|pg_dynshmem)\/.*)$/;

async function copyData(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const name = path.relative(from, path.join(entry.parentPath, entry.name));
    if (LEFT_OUT.test(name)) continue;
    const target = path.join(to, name);
    await mkdir(entry.isDirectory() ? target : path.dirname(target), { recursive: true, mode: 0o700 });
    if (entry.isFile()) await copyFile(path.join(from, name), target).catch(unlessGone);
  }
}

/** The server removes files while it works; the log has what became of them. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/** As root, the server runs as another user. */
export async function handTo(target: string, server: LocalPostgres): Promise<void> {
  const { uid, gid } = await stat(path.join(server.folder, 'cluster'));
  if (process.getuid?.() === 0) await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, target]);
}

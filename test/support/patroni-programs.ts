import { accessSync, constants, readdirSync } from 'node:fs';
import path from 'node:path';

/** The programs of a Postgres that fails over, where they are installed. */
export interface PatroniPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** A folder with initdb, pg_ctl, pg_basebackup and pg_rewind. */
  readonly postgresBin: string;
}

/** Debian keeps each version's programs in a folder of its own, and none of these on the PATH. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const OF_POSTGRES = ['initdb', 'pg_ctl', 'postgres', 'pg_basebackup', 'pg_rewind'];
/** Not on everybody's PATH. */
const OF_SYSTEM = ['/usr/sbin', '/usr/local/sbin'];

/** Debian has them in its packages `patroni`, `etcd-server`, `haproxy` and `postgresql`. */
export function findPatroniPrograms(): PatroniPrograms | { readonly missing: readonly string[] } {
  const onPath = [...(process.env.PATH ?? '').split(path.delimiter), ...OF_SYSTEM];
  const find = (name: string): string | undefined =>
    onPath.map((folder) => path.join(folder, name)).find(isExecutable);
  const found = {
    patroni: find('patroni'),
    etcd: find('etcd'),
    haproxy: find('haproxy'),
    postgresBin: [...versionsOfDebian(), ...onPath].find((folder) =>
      OF_POSTGRES.every((name) => isExecutable(path.join(folder, name))),
    ),
  };
  const missing = Object.entries(found).flatMap(([name, place]) => (place === undefined ? [name] : []));
  return missing.length === 0 ? (found as PatroniPrograms) : { missing };
}

/** Whether a cluster can be started here; says why not, once for each file of tests. */
export function hasPatroni(): boolean {
  const found = findPatroniPrograms();
  if (!('missing' in found)) return true;
  process.stderr.write(`failover is not tested here: not installed: ${found.missing.join(', ')}\n`);
  return false;
}

/** The newest first. */
function versionsOfDebian(): readonly string[] {
  try {
    return readdirSync(DEBIAN_POSTGRES)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => path.join(DEBIAN_POSTGRES, version, 'bin'));
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

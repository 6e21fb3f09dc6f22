import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { StartError } from '../platform/process/start-error.js';
import { startOnPort } from './free-port.js';
import { type PostgresHome, settle } from './postgres-home.js';
import {
  commandLine,
  endChild,
  endProcess,
  endWithParent,
  hasEnded,
  lastLines,
  type Say,
} from './processes.js';

export interface PostgresOptions {
  /** The server's own folder; made when missing. Only one server at a time works on it. */
  readonly dataDir: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Whether a commit survives a power failure. True unless the data is thrown away anyway. */
  readonly durable?: boolean;
  readonly say: Say;
}

export type LocalPostgres = Awaited<ReturnType<typeof startPostgres>>;

const startWithinMs = 60_000;
const stopWithinMs = 20_000;

/**
 * Starts a real PostgreSQL server on 127.0.0.1 with the data of `dataDir`. A server that an earlier, killed run
 * left behind on that folder is stopped first. When this process dies, the server follows.
 *
 * @throws StartError with the last words of the server when it does not start
 */
export async function startPostgres(options: PostgresOptions) {
  const home = await settle(options.dataDir, options.say);
  await stopOrphan(home.folder);
  if (home.leftover) await empty(home.folder);
  const password = await initialise(home);
  return startOnPort(options.port, async (port) => {
    const server = await launch(home, port, options.durable ?? true);
    /** Ends the server cleanly: sessions are cut, data is on disk. */
    const stop = (): Promise<void> => endChild(server, 'SIGINT', 'SIGQUIT', stopWithinMs);
    try {
      await ready(server, home);
    } catch (error) {
      await stop();
      throw error;
    }
    endWithParent(server, 'INT');
    return {
      /** Of the maintenance database `postgres`, as its superuser; the password is this folder's own. */
      url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
      /** The server's own folder: `dataDir`, or where root keeps what Postgres' user must reach. */
      folder: home.folder,
      stop,
    };
  });
}

const clusterOf = (folder: string): string => path.join(folder, 'cluster');

async function stopOrphan(folder: string): Promise<void> {
  const pidFile = path.join(clusterOf(folder), 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const command = await commandLine(pid);
  if (command.includes(clusterOf(folder))) await endProcess(pid, 'SIGINT', stopWithinMs);
  // Postgres takes any living process of that id for its predecessor, and refuses to start.
  else if (command) await rm(pidFile, { force: true });
}

async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true });
}

/** Makes the cluster unless it is there; one that was cut short never stands under the final name. */
async function initialise(home: PostgresHome): Promise<string> {
  const passwordFile = path.join(home.folder, 'password');
  const cluster = clusterOf(home.folder);
  if (existsSync(cluster)) return (await readFile(passwordFile, 'utf8')).trim();
  const password = randomBytes(18).toString('hex');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (home.runAs) await chown(passwordFile, home.runAs.uid, home.runAs.gid);
  const half = `${cluster}.half`;
  await rm(half, { recursive: true, force: true });
  const args = [
    `--pgdata=${half}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-sync',
  ];
  try {
    await promisify(execFile)(home.initdb, args, { ...home.runAs, cwd: home.folder });
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new StartError(`Postgres could not make its data folder: ${words ?? String(error)}`, {
      cause: error,
    });
  }
  await rename(half, cluster);
  return password;
}

async function launch(home: PostgresHome, port: number, durable: boolean): Promise<ChildProcess> {
  const log = await open(logOf(home), 'w', 0o600);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  try {
    return spawn(
      home.postgres,
      [
        '-D',
        clusterOf(home.folder),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      // Ctrl-C reaches every process of the terminal's group: the server must outlive those who use it.
      { ...home.runAs, cwd: home.folder, detached: true, stdio: ['ignore', log.fd, log.fd] },
    );
  } finally {
    await log.close();
  }
}

const logOf = (home: PostgresHome): string => path.join(home.folder, 'server.log');

/** The server writes its state into the eighth line of postmaster.pid; ours begins with our own process id. */
async function ready(server: ChildProcess, home: PostgresHome): Promise<void> {
  let failure: Error | undefined;
  server.once('error', (error) => {
    failure = error;
  });
  const deadline = Date.now() + startWithinMs;
  while (Date.now() < deadline && !failure && !hasEnded(server)) {
    const lines = await readFile(path.join(clusterOf(home.folder), 'postmaster.pid'), 'utf8').catch(() => '');
    const [pid, , , , , , , state] = lines.split('\n');
    // A copy that follows another server says so.
    if (Number(pid) === server.pid && /^(ready|standby)/.test(state ?? '')) return;
    await wait(20);
  }
  throw new StartError(`Postgres did not start: ${failure?.message ?? (await lastLines(logOf(home)))}`);
}

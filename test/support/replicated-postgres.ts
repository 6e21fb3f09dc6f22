import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { type LocalPostgres, startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { backUp, handTo } from './base-backup.js';

/** A primary with a migrated database, and a replica that streams from it. Close it in `afterAll`. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string;
  readonly replicaUrl: string;
  readonly primary: pg.Pool;
  readonly replica: pg.Pool;
  /** The replica goes on answering, and shows nothing newer until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Resolves once the replica shows everything that is committed by now. */
  caughtUp(): Promise<void>;
  /** Ends the replica, until `startReplica`. */
  stopReplica(): Promise<void>;
  startReplica(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE = 'product';
const say = () => undefined;

export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const [primaryDir, replicaDir] = [await folder('primary'), await folder('replica')];
  const server = await startPostgres({ dataDir: primaryDir, durable: false, say });
  const session = new pg.Client({ connectionString: server.url });
  await session.connect();
  await session.query(`CREATE DATABASE ${DATABASE}`);
  // A replica that was away finds there what it missed.
  await session.query("ALTER SYSTEM SET wal_keep_size = '512MB'");
  await session.query('SELECT pg_reload_conf()');
  const primaryUrl = inDatabase(server.url);
  await migrate(primaryUrl);
  await backUp(server, session, replicaDir);
  await session.end();
  await follow(server, replicaDir);
  let following = await startPostgres({ dataDir: replicaDir, durable: false, say });
  const port = Number(new URL(following.url).port);
  const replicaUrl = inDatabase(following.url);
  const [primary, replica] = [openPool(primaryUrl), openPool(replicaUrl)];
  return {
    ...{ primaryUrl, replicaUrl, primary, replica },
    pause: async () => {
      await replica.query('SELECT pg_wal_replay_pause()');
      await until(replica, "SELECT pg_get_wal_replay_pause_state() = 'paused' AS done");
    },
    resume: async () => void (await replica.query('SELECT pg_wal_replay_resume()')),
    async caughtUp() {
      const { rows } = await primary.query('SELECT pg_current_wal_insert_lsn()::text AS lsn');
      await until(replica, 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done', [rows[0].lsn]);
    },
    stopReplica: () => following.stop(),
    startReplica: async () => {
      following = await startPostgres({ dataDir: replicaDir, port, durable: false, say });
    },
    async close() {
      await Promise.all([primary.end(), replica.end()]);
      await following.stop();
      await server.stop();
      for (const dir of [primaryDir, replicaDir]) await rm(dir, { recursive: true, force: true });
    },
  };
}

const until = (on: pg.Pool, statement: string, values: unknown[] = []): Promise<void> =>
  vi.waitFor(
    async () => {
      if (!(await on.query(statement, values)).rows[0].done) throw new Error(`not yet: ${statement}`);
    },
    { timeout: 20_000, interval: 20 },
  );

/** As root, the server runs as another user, who must get through to its folder. */
async function folder(name: string): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), `tidings-${name}-`));
  await chmod(dir, 0o711);
  return dir;
}

async function follow(server: LocalPostgres, dir: string): Promise<void> {
  const { port, username, password } = new URL(server.url);
  const source = `host=127.0.0.1 port=${port} user=${username} password=${password}`;
  const cluster = path.join(dir, 'cluster');
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(path.join(cluster, 'standby.signal'), '');
  await handTo(dir, server);
}

const inDatabase = (url: string): string => url.replace(/\/postgres$/, `/${DATABASE}`);

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 3 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { type LocalPostgres, startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { childrenOf, signal } from '../support/process-tree.js';

/** What the processes of a fleet share. */
export interface FleetDatabase {
  /** Of the product's database, as a role without privileges. */
  readonly url: string;
  /** As superuser, for checks and for faults. */
  readonly admin: pg.Pool;
  close(): Promise<void>;
}

/**
 * A durable Postgres of its own that fails the way servers do. Each fault is over when its counterpart resolves; `refuse` and
 * `fillDisk` do not hit `admin`.
 */
export interface FleetPostgres extends FleetDatabase {
  /** Ends every process of it by SIGKILL, as a host does that runs out of memory. */
  kill(): Promise<void>;
  /** Ends it by SIGQUIT: no session is waited for, and the log is replayed at the next start. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Cuts all sessions of the product; it may connect again. */
  cut(): Promise<void>;
  /** New connections of the product are refused with 53300, as where `max_connections` is reached. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Every statement that touches posts waits, and holds its connection, until the returned function is called. */
  block(): Promise<() => Promise<void>>;
  /** Every statement that would write is refused with 53100, by a trigger: as where no table can be extended. */
  fillDisk(): Promise<void>;
  freeDisk(): Promise<void>;
}

const ROLE = 'product';

export async function startFleetPostgres(): Promise<FleetPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-faults-'));
  // As root, the server runs as another user, who must get through to its folder.
  await chmod(dataDir, 0o711);
  // What was acknowledged must outlast a kill: commits are synchronous here.
  const options = { dataDir, durable: true, say: () => undefined };
  let server: LocalPostgres = await startPostgres(options);
  const port = Number(new URL(server.url).port);
  const { url, admin } = await createDatabase(server.url);
  await prepareFullDisk(admin);

  const run = async (statement: string): Promise<void> => void (await admin.query(statement));
  async function end(signal: NodeJS.Signals): Promise<void> {
    const pid = await postmaster(admin);
    process.kill(pid, signal);
    await vi.waitFor(() => expectGone(pid), { timeout: 20_000, interval: 20 });
  }
  let frozen: readonly number[] = [];
  return {
    url,
    admin,
    kill: () => end('SIGKILL'),
    stopAtOnce: () => end('SIGQUIT'),
    // Sessions of a postmaster that was killed hold its memory until they notice that it is gone.
    start: () =>
      vi.waitFor(
        async () => {
          server = await startPostgres({ ...options, port });
        },
        { timeout: 60_000, interval: 200 },
      ),
    async freeze() {
      const pid = await postmaster(admin);
      frozen = [pid];
      process.kill(pid, 'SIGSTOP');
      const sessions = await childrenOf(pid);
      frozen = [pid, ...sessions];
      for (const session of sessions) signal(session, 'SIGSTOP');
    },
    async thaw() {
      for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
      frozen = [];
    },
    cut: () => run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`),
    refuse: () => run(`ALTER ROLE ${ROLE} CONNECTION LIMIT 0`),
    accept: () => run(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`),
    async block() {
      const client = await admin.connect();
      await client.query('BEGIN');
      await client.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
      return async () => {
        await client.query('ROLLBACK');
        client.release();
      };
    },
    fillDisk: () => run(diskIs('full')),
    freeDisk: () => run(diskIs('roomy')),
    async close() {
      for (const pid of frozen.toReversed()) signal(pid, 'SIGCONT');
      await admin.end().catch(() => undefined);
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes and migrates the product's database, and the role that owns it. */
export async function createDatabase(superuserUrl: string): Promise<Pick<FleetDatabase, 'url' | 'admin'>> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${ROLE}'`);
  await client.query(`CREATE DATABASE ${ROLE} OWNER ${ROLE}`);
  await client.end();
  const url = new URL(superuserUrl);
  Object.assign(url, { username: ROLE, password: ROLE, pathname: `/${ROLE}` });
  await migrate(url.toString());
  const admin = new pg.Pool({ connectionString: superuserUrl.replace(/\/postgres$/, `/${ROLE}`), max: 4 });
  admin.on('error', () => undefined);
  admin.on('connect', (one) => one.on('error', () => undefined));
  return { url: url.toString(), admin };
}

const postmaster = async (admin: pg.Pool): Promise<number> => {
  const { rows } = await admin.query<{ pid: string }>(
    `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
  );
  return Number(rows[0]!.pid);
};

function expectGone(pid: number): void {
  try {
    process.kill(pid, 0);
  } catch {
    return;
  }
  throw new Error(`Postgres ${pid} still runs`);
}

/** Triggers stand from the start, since making them under load would wait for locks; the function is what changes. */
async function prepareFullDisk(admin: pg.Pool): Promise<void> {
  await admin.query('CREATE SCHEMA faults');
  await admin.query(diskIs('roomy'));
  await admin.query(`GRANT USAGE ON SCHEMA faults TO ${ROLE}`);
  await admin.query(`
    DO $$ DECLARE one record; BEGIN
      FOR one IN SELECT relid::regclass AS name FROM pg_stat_user_tables WHERE schemaname = 'public'
        AND NOT (SELECT relispartition FROM pg_class WHERE oid = relid) LOOP
        EXECUTE format('CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON %s EXECUTE FUNCTION faults.full_disk()',
          one.name);
      END LOOP;
    END $$`);
}

const diskIs = (state: 'full' | 'roomy'): string => `
  CREATE OR REPLACE FUNCTION faults.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    ${state === 'full' ? `RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';` : ''}
    RETURN NULL;
  END $$`;

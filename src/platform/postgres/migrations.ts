import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createClient } from './clients.js';
import { applyFunctions } from './database-functions.js';
import { MigrationError, readable } from './migration-error.js';
import { giveUpUnfinished, LOCK_WAITS, type LockWaits, WholeScripts } from './migration-scripts.js';
import { WITHOUT_TIMEOUTS } from './postgres-timeouts.js';
import { migrationNames, prismaFolder } from './schema-check.js';
import { everything, openSchemaEngine } from './schema-engine.js';

export { MigrationError } from './migration-error.js';

const APPLICATION_NAME = 'tidings migrate';

/** Any number does, as long as nothing else in the database locks it. */
const migrationLock = 7_246_021_905;
const TURN_POLL_MS = 100;
const SAY_EVERY_MS = 15_000;

export interface MigrateOptions {
  /** A folder with schema.prisma, migrations/ and functions/, as a file URL that ends in `/`. */
  readonly folder?: URL;
  /** Gets a line, for people, where something takes longer than they expect. */
  readonly say?: (line: string) => void;
  readonly lockWaits?: LockWaits;
  /** How often `say` hears how far a migration is that takes long; 15 s unless given. */
  readonly sayEveryMs?: number;
}

/**
 * Brings a database up to date: every migration of prisma/migrations that it lacks, each in a transaction
 * of its own, then every SQL function of prisma/functions. Several processes may call it at once: one works,
 * the others wait and find nothing to do. `_prisma_migrations` is kept as Prisma's command line keeps it.
 *
 * Where a later version has migrated the database, its functions stay: those of this one do not know its tables.
 *
 * A migration whose tables are in use asks for its locks again and again, for 5 minutes, and never for longer than 2 s at a
 * time: statements on a table wait behind a lock that is asked for.
 *
 * @returns names of the migrations that this run applied, in order, and whether the SQL functions were replaced
 * @throws MigrationError with one readable line; the migration that failed has left nothing behind. Neither has one whose
 * process was killed: the next run makes it again
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}) {
  const folder = options.folder ?? prismaFolder;
  const client = createClient(databaseUrl, { applicationName: APPLICATION_NAME, timeouts: WITHOUT_TIMEOUTS });
  try {
    await client.connect().catch((error: unknown) => {
      throw new MigrationError(`the database is not reachable: ${readable(error)}`, { cause: error });
    });
    await takeTurn(client);
    await takeUpUnfinished(client, options);
    const stopSaying = sayProgress(client, options);
    const migrations = await applyMigrations(databaseUrl, folder, options).finally(stopSaying);
    const later = await findLaterMigrations(client, folder);
    const functionsReplaced =
      later.length === 0 &&
      (await applyFunctions(client, new URL('functions/', folder), await migrationNames(folder)));
    return { migrations, functionsReplaced };
  } catch (error) {
    throw error instanceof MigrationError ? error : new MigrationError(readable(error), { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Waits until no other process migrates. Between statements: one that waited would keep its snapshot, and an index that is
 * built concurrently waits for all of those.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS taken', [migrationLock]);
    if (rows[0].taken) return;
    await pause(TURN_POLL_MS);
  }
}

/** A run before this one may have been killed, or have lost the database. */
async function takeUpUnfinished(client: pg.Client, { say }: MigrateOptions): Promise<void> {
  const { rows } = await client.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS known`);
  if (!rows[0].known) return;
  for (const name of await giveUpUnfinished(client))
    say?.(`${name} was cut short in an earlier run and has changed nothing: it is made again`);
}

/** Says from time to time what runs, and of an index that is being built how much of the table is read. */
function sayProgress(client: pg.Client, { say, sayEveryMs = SAY_EVERY_MS }: MigrateOptions): () => void {
  async function look(): Promise<void> {
    const { rows } = await client.query<{ name: string; seconds: number; percent: number | null }>(UNDER_WAY);
    for (const { name, seconds, percent } of rows) {
      say?.(
        `${name} has been running for ${seconds} s${percent === null ? '' : `, ${percent} % of its table read`}`,
      );
    }
  }
  // It says nothing more where there is no table of migrations yet, or no connection any more: migrating itself will.
  const looking = setInterval(() => void look().catch(() => undefined), sayEveryMs);
  return () => clearInterval(looking);
}

const UNDER_WAY = `SELECT migration_name AS name, extract(epoch FROM clock_timestamp() - started_at)::int AS seconds,
    (SELECT (100 * blocks_done / nullif(blocks_total, 0))::int FROM pg_stat_progress_create_index
     WHERE datname = current_database() LIMIT 1) AS percent
  FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

async function applyMigrations(
  databaseUrl: string,
  folder: URL,
  { say, lockWaits = LOCK_WAITS }: MigrateOptions,
): Promise<readonly string[]> {
  const database = new WholeScripts(databaseUrl, APPLICATION_NAME, lockWaits, async () => {
    const seconds = Math.round(lockWaits.giveUpAfterMs / 1_000);
    const name = (await findUnfinished(database)) ?? 'a migration';
    say?.(`${name} waits for a lock that others hold: it is tried again and again, for ${seconds} s at most`);
  });
  const schemaEngine = await openSchemaEngine(
    database,
    await readFile(new URL('schema.prisma', folder), 'utf8'),
  );
  try {
    const migrationsList = await readMigrations(folder);
    const applied = await schemaEngine.applyMigrations({ migrationsList, filters: everything });
    return applied.appliedMigrationNames;
  } catch (error) {
    throw await explain(error, database);
  } finally {
    schemaEngine.free();
    await database.close();
  }
}

/** Names of migrations that were applied and that the folder does not have, in order. */
async function findLaterMigrations(client: pg.Client, folder: URL): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
     WHERE rolled_back_at IS NULL AND migration_name <> ALL ($1) ORDER BY migration_name`,
    [await migrationNames(folder)],
  );
  return rows.map(({ name }) => name);
}

async function readMigrations(folder: URL) {
  const names = await migrationNames(folder);
  return {
    baseDir: new URL('migrations/', folder).pathname,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(new URL(`migrations/${name}/migration.sql`, folder), 'utf8'),
          },
        },
      })),
    ),
  };
}

/** A script that failed has rolled back whole, so it is recorded as such: once mended it may run again. */
async function explain(error: unknown, database: WholeScripts): Promise<MigrationError> {
  if (!database.failure) return new MigrationError(readable(error), { cause: error });
  // Where the database is away the next run does it.
  const [name = 'of no name'] = await giveUpUnfinished(database.pool).catch(() => []);
  const { error: cause, script } = database.failure;
  return new MigrationError(`migration ${name} failed: ${readable(cause, script)}`, { cause });
}

/** The migration that is under way. */
async function findUnfinished(database: WholeScripts): Promise<string | undefined> {
  const { rows } = await database.pool.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  return rows[0]?.migration_name;
}

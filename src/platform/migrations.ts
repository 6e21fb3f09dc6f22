import { readdir, readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { applyFunctions } from './database-functions.js';
import { MigrationError, readable } from './migration-error.js';
import { everything, openSchemaEngine } from './schema-engine.js';

export { MigrationError } from './migration-error.js';

/** Where schema.prisma, migrations/ and functions/ lie: the same from `src/` and from `dist/`. */
const prismaFolder = new URL('../../prisma/', import.meta.url);

/** Any number does, as long as nothing else in the database locks it. */
const migrationLock = 7_246_021_905;

export interface MigrateOptions {
  readonly logger?: { info(fields: object, message: string): void };
  /** A folder with schema.prisma, migrations/ and functions/, as a file URL that ends in `/`. */
  readonly folder?: URL;
}

/** What one run changed; both are empty when the database was up to date. */
export interface MigrateOutcome {
  /** Names of the migrations that this run applied, in order. */
  readonly migrations: readonly string[];
  /** Whether the SQL functions were replaced. */
  readonly functionsReplaced: boolean;
}

/**
 * Brings a database up to date: every migration of prisma/migrations that it lacks, each in a transaction
 * of its own, then every SQL function of prisma/functions. Several processes may call it at once: one works,
 * the others wait and find nothing to do. `_prisma_migrations` is kept as Prisma's command line keeps it.
 *
 * @throws MigrationError with one readable line; the migration that failed has left nothing behind
 */
export async function migrate(databaseUrl: string, options: MigrateOptions = {}): Promise<MigrateOutcome> {
  const folder = options.folder ?? prismaFolder;
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect().catch((error: unknown) => {
      throw new MigrationError(`the database is not reachable: ${readable(error)}`, { cause: error });
    });
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const migrations = await applyMigrations(databaseUrl, folder);
    const functionsReplaced = await applyFunctions(client, new URL('functions/', folder), {
      // A migration may have dropped a function together with what it stood on.
      evenIfSame: migrations.length > 0,
    });
    options.logger?.info({ migrations, functionsReplaced }, 'database is up to date');
    return { migrations, functionsReplaced };
  } catch (error) {
    throw error instanceof MigrationError ? error : new MigrationError(readable(error), { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function applyMigrations(databaseUrl: string, folder: URL): Promise<readonly string[]> {
  const database = new WholeScripts({ connectionString: databaseUrl, max: 1 });
  const schemaEngine = await openSchemaEngine(
    database,
    await readFile(new URL('schema.prisma', folder), 'utf8'),
  );
  try {
    const migrationsList = await readMigrations(new URL('migrations/', folder));
    const applied = await schemaEngine.applyMigrations({ migrationsList, filters: everything });
    return applied.appliedMigrationNames;
  } catch (error) {
    throw await explain(error, database, (migrationName) =>
      schemaEngine.markMigrationRolledBack({ migrationName }).then(() => undefined),
    );
  } finally {
    schemaEngine.free();
    await database.close();
  }
}

async function readMigrations(folder: URL) {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return {
    baseDir: folder.pathname,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.sort().map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(new URL(`${name}/migration.sql`, folder), 'utf8'),
          },
        },
      })),
    ),
  };
}

/** A script that failed has rolled back whole, so it is recorded as such: once mended it may run again. */
async function explain(
  error: unknown,
  database: WholeScripts,
  markRolledBack: (migration: string) => Promise<void>,
): Promise<MigrationError> {
  if (!database.failure) return new MigrationError(readable(error), { cause: error });
  const { rows } = await database.query(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );
  const name = String(rows[0]?.migration_name ?? 'a migration');
  if (rows[0]) await markRolledBack(name);
  const { error: cause, script } = database.failure;
  return new MigrationError(`migration ${name} failed: ${readable(cause, script)}`, { cause });
}

/**
 * Prisma's adapter cuts scripts at every semicolon, function bodies included, and runs the pieces one by one.
 * Sent whole, a script may hold anything that Postgres reads, and is one implicit transaction.
 */
class WholeScripts extends PrismaPg {
  /** The script that Postgres refused, and why; the engine's own error has neither line nor position. */
  failure: { readonly error: unknown; readonly script: string } | undefined;
  readonly #pool: pg.Pool;

  constructor(config: pg.PoolConfig) {
    const pool = new pg.Pool(config);
    pool.on('error', () => undefined);
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      try {
        await this.#pool.query(script);
      } catch (error) {
        this.failure = { error, script };
        throw error;
      }
    };
    return adapter;
  }

  query(statement: string): Promise<pg.QueryResult> {
    return this.#pool.query(statement);
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../../src/platform/postgres/postgres.js';
import { createEmptyDatabase, ENGLISH } from '../../support/database.js';

const prisma = new URL('../../../prisma/', import.meta.url);

/** A version whose databases are upgraded: the first migration that it does not have, and the data that its tables hold. */
export interface Start {
  readonly until: string;
  readonly data: string;
  /** Its functions, by what they take and give alone. */
  readonly functions: string;
}

/** Before the large tables were partitioned. */
export const beforePartitions: Start = {
  until: '20261124100000',
  data: 'data-before-partitions.sql',
  functions: 'functions-before-partitions.sql',
};
/** Before work that waits became entries of the outbox; partitioned. Its data are those of the start before, and more. */
export const beforeOutbox: Start = {
  until: '20261126040000',
  data: 'data-before-outbox.sql',
  functions: 'functions-before-outbox.sql',
};

export interface World {
  readonly url: string;
  readonly postgres: Postgres;
  close(): Promise<void>;
}

/** A database as it was at the last of these starts: it came through all of them, and was filled at each. */
export async function openWorld(...starts: readonly Start[]): Promise<World> {
  const database = await createEmptyDatabase(ENGLISH);
  const { url } = database;
  const postgres = openPostgres(url, { max: 3, applicationName: 'test', onError: () => undefined });
  for (const { until, functions, data } of starts) {
    await migrateUntil(url, until);
    for (const file of [functions, data])
      await postgres.query(await readFile(new URL(file, import.meta.url), 'utf8'));
  }
  return {
    url,
    postgres,
    async close() {
      await postgres.close();
      await database.drop();
    },
  };
}

/** All migrations before this one. Not the functions: those of now may need columns of later migrations. */
async function migrateUntil(url: string, until: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-upgrade-'));
  try {
    await cp(prisma, folder, {
      recursive: true,
      filter: (source) => {
        const name = path.basename(source);
        return (
          path.basename(path.dirname(source)) !== 'functions' && (!/^\d{14}_/.test(name) || name < until)
        );
      },
    });
    await migrate(url, { folder: pathToFileURL(`${folder}/`) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

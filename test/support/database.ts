import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A migrated database that nobody else uses. */
export interface TestDatabase {
  readonly url: string;
  /** Cuts every session and removes it. */
  drop(): Promise<void>;
}

/** The migrated database that tests clone. */
export const templateName = 'tidings_template';

/** A fresh clone of the migrated template, in about 50 ms. Drop it in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> => cloneTemplate(inject('postgresUrl'));

/** The same on a server that is named: a global set-up has no other way to know it. */
export const cloneTemplate = (postgresUrl: string): Promise<TestDatabase> =>
  createDatabase(postgresUrl, `TEMPLATE ${templateName} STRATEGY FILE_COPY`);

/** An empty database, not migrated, with this collation. */
export const createEmptyDatabase = (locale: string): Promise<TestDatabase> =>
  createDatabase(inject('postgresUrl'), `TEMPLATE template0 ${locale}`);

/** Of `createEmptyDatabase`: English, where `a` is before `B`, unlike their bytes. */
export const ENGLISH = "LOCALE_PROVIDER icu ICU_LOCALE 'en-US'";

async function createDatabase(postgresUrl: string, options: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(postgresUrl, `CREATE DATABASE ${name} ${options}`);
  return {
    url: postgresUrl.replace(/\/postgres$/, `/${name}`),
    drop: () => administer(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Runs one statement on the maintenance database. Clones of one template are made one after the other. */
export async function administer(postgresUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(1)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}

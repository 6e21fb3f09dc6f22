import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createClient } from '../../src/platform/postgres/clients.js';
import { openPostgres, type Postgres, runOn } from '../../src/platform/postgres/postgres.js';
import {
  ROLE_TIMEOUTS,
  timeoutsOf,
  WITHOUT_TIMEOUTS,
} from '../../src/platform/postgres/postgres-timeouts.js';
import { isUnavailable } from '../../src/platform/unavailable.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let watcher: Postgres;

const open = (applicationName: string, timeouts: Parameters<typeof openPostgres>[1]['timeouts']) =>
  openPostgres(database.url, {
    max: 2,
    applicationName,
    onError: () => undefined,
    ...(timeouts && { timeouts }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  watcher = open('watcher', WITHOUT_TIMEOUTS);
});
afterAll(async () => {
  await watcher?.close();
  await database?.drop();
});

const runningOf = async (applicationName: string): Promise<number> => {
  const { rows } = await watcher.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND state = 'active'`,
    [applicationName],
  );
  return rows[0]!.count;
};

const SETTINGS = `SELECT name, setting FROM pg_settings WHERE name = ANY ($1)`;
const NAMES = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'client_connection_check_interval',
];
const asked = async (on: { query: Postgres['query'] }): Promise<Record<string, number>> => {
  const { rows } = await on.query<{ name: string; setting: string }>(SETTINGS, [NAMES]);
  return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]));
};

it('each role has its own timeouts on every connection, in a pool or alone', async () => {
  for (const role of ['api', 'worker', 'rebuild'] as const) {
    const timeouts = timeoutsOf(role, {});
    const { statementMs, lockMs, idleInTransactionMs } = ROLE_TIMEOUTS[role];
    const expected = {
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: idleInTransactionMs,
      client_connection_check_interval: 1_000,
    };
    const postgres = open(role, timeouts);
    const client = createClient(database.url, { applicationName: role, timeouts });
    try {
      expect(await asked(postgres)).toEqual(expected);
      expect(await postgres.transaction(asked)).toEqual(expected);
      await client.connect();
      expect(await asked({ query: (statement, values) => runOn(client, statement, values) })).toEqual(
        expected,
      );
    } finally {
      await client.end();
      await postgres.close();
    }
  }
});

it('the environment says otherwise, and 0 leaves a setting to the role in the database', async () => {
  const { databaseTimeouts } = readConfig({
    DATABASE_URL: database.url,
    REDIS_URL: 'redis://127.0.0.1',
    AUTH_SECRET: 'a secret that only this test knows, long',
    DATABASE_STATEMENT_TIMEOUT_MS: '1234',
    DATABASE_REBUILD_STATEMENT_TIMEOUT_MS: '5678',
    DATABASE_LOCK_TIMEOUT_MS: '0',
  });
  expect(timeoutsOf('api', databaseTimeouts)).toEqual({ statementMs: 1_234, idleInTransactionMs: 15_000 });
  expect(timeoutsOf('rebuild', databaseTimeouts)).toEqual({
    statementMs: 5_678,
    idleInTransactionMs: 15_000,
  });
});

it('a session without any setting sends none, and one without limits has none whatever its role has', async () => {
  const role = `ALTER ROLE CURRENT_USER IN DATABASE ${new URL(database.url).pathname.slice(1)}`;
  await watcher.query(`${role} SET statement_timeout = 4321`);
  const [silent, unlimited] = [open('silent', {}), open('unlimited', WITHOUT_TIMEOUTS)];
  try {
    expect(await asked(silent)).toMatchObject({
      statement_timeout: 4_321,
      client_connection_check_interval: 0,
    });
    expect(await asked(unlimited)).toMatchObject({ statement_timeout: 0, lock_timeout: 0 });
  } finally {
    await silent.close();
    await unlimited.close();
    await watcher.query(`${role} RESET statement_timeout`);
  }
});

it('a statement and a wait for a lock that take too long are ended by the server: try again', async () => {
  const postgres = open('impatient', { statementMs: 300, lockMs: 100 });
  try {
    const slow = await postgres.query('SELECT pg_sleep(60)').catch((error: unknown) => error);
    expect(slow).toMatchObject({ code: '57014' });
    const locked = await watcher.transaction(async (tx) => {
      await tx.query('LOCK TABLE posts IN ACCESS EXCLUSIVE MODE');
      return postgres.query('SELECT 1 FROM posts').catch((error: unknown) => error);
    });
    expect(locked).toMatchObject({ code: '55P03' });
    expect([slow, locked].map(isUnavailable)).toEqual([true, true]);
    await vi.waitFor(async () => expect(await runningOf('impatient')).toBe(0), { timeout: 30_000 });
  } finally {
    await postgres.close();
  }
});

it('what a client has given up does not go on running on the server', async () => {
  const postgres = open('gave up', { statementMs: 600_000 });
  const given = () => runOn(postgres.pool, 'SELECT pg_sleep(600)', [], 300);
  try {
    await expect(given()).rejects.toThrow(/timeout/);
    await expect(
      postgres.transaction((tx) => Promise.race([tx.query('SELECT pg_sleep(600)'), given()])),
    ).rejects.toThrow(/timeout/);
    await vi.waitFor(async () => expect(await runningOf('gave up')).toBe(0), { timeout: 30_000 });
  } finally {
    await postgres.close();
  }
});

it('plans that were made while a table was small do not read all of it', async () => {
  await watcher.query(
    'CREATE TABLE small (key INT PRIMARY KEY); INSERT INTO small VALUES (1); ANALYZE small',
  );
  const planOf = async (byIndex: boolean): Promise<string> => {
    const options = { max: 1, applicationName: 'plans', byIndex, onError: () => undefined };
    const postgres = openPostgres(database.url, options);
    try {
      const { rows } = await postgres.query('EXPLAIN SELECT * FROM small WHERE key = 1');
      return rows[0]!['QUERY PLAN'];
    } finally {
      await postgres.close();
    }
  };
  expect(await planOf(false)).toContain('Seq Scan');
  expect(await planOf(true)).toContain('Index');
});

it('where no timeout is set, as behind a pooler, no other setting is sent', async () => {
  const options = {
    max: 1,
    applicationName: 'pooled',
    timeouts: {},
    byIndex: true,
    onError: () => undefined,
  };
  const postgres = openPostgres(database.url, options);
  const { rows } = await postgres.query('SHOW enable_seqscan');
  await postgres.close();
  expect(rows).toEqual([{ enable_seqscan: 'on' }]);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openSession } from '../../src/platform/projector/session.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Longer than a crowded machine stops a process for. */
const IDLE_MS = 4_000;

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 2, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** Resolves once the database's clock has gone on for so long. */
async function passes(ms: number): Promise<void> {
  const { rows } = await postgres.query<{ since: Date }>('SELECT clock_timestamp() AS since');
  const over = async () =>
    (
      await postgres.query<{ over: boolean }>(
        `SELECT clock_timestamp() > $1::timestamptz + $2 * interval '1 ms' AS over`,
        [rows[0]!.since, ms],
      )
    ).rows[0]!.over;
  await expect.poll(over, { timeout: ms + 15_000, interval: 200 }).toBe(true);
}

it('a session lasts while its process runs, however long nothing is asked, in a transaction and in a failed one', async () => {
  const session = await openSession({ databaseUrl: database.url, idleMs: IDLE_MS }, 'projector test');
  const pidOf = async () =>
    (await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
  const pid = await pidOf();
  await passes(IDLE_MS + 1_000);
  await session.query('BEGIN');
  await passes(IDLE_MS + 1_000);
  await session.query('SELECT no_such_column').catch(() => undefined);
  await passes(IDLE_MS + 1_000);
  await session.query('ROLLBACK');
  expect(await pidOf()).toBe(pid);
  expect(session.lost.aborted).toBe(false);
  await session.close();
});

it('a session that Postgres ends is found lost at once, also between two statements', async () => {
  const session = await openSession({ databaseUrl: database.url }, 'projector test');
  const { rows } = await session.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await postgres.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
  await expect.poll(() => session.lost.aborted).toBe(true);
  await expect(session.query('SELECT 1')).rejects.toThrow();
  await session.close();
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/platform/postgres/clients.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openPrisma } from '../../src/platform/postgres/prisma.js';
import { assertSessions, checkServers } from '../../src/platform/postgres/servers-check.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { lacksPgbouncer, startPgbouncer, type TestPgbouncer } from '../support/pgbouncer.js';

const TIMEOUTS = { statementMs: 700, lockMs: 300, idleInTransactionMs: 400 };

describe.skipIf(lacksPgbouncer)('behind PgBouncer in transaction mode', { timeout: 60_000 }, () => {
  let database: TestDatabase;
  let pooler: TestPgbouncer;
  let postgres: Postgres;
  const open = (url: string, max: number) =>
    openPostgres(url, {
      max,
      applicationName: 'pooled',
      timeouts: TIMEOUTS,
      byIndex: true,
      byTransaction: true,
      onError: () => undefined,
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await startPgbouncer(database.url, { poolSize: 2 });
    postgres = open(pooler.url, 20);
  });
  afterAll(async () => {
    await postgres?.close();
    await pooler?.stop();
    await database?.drop();
  });

  const SETTINGS = `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
    current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit,
    current_setting('enable_seqscan') AS scans, current_setting('client_connection_check_interval') AS look`;
  const EXPECTED = { statement: '700ms', lock: '300ms', idle: '400ms', jit: 'off', scans: 'off', look: '1s' };

  it('every statement has its settings, alone and in a transaction, and leaves none to others', async () => {
    const alone = await Promise.all(Array.from({ length: 40 }, () => postgres.query(SETTINGS)));
    for (const { rows } of alone) expect(rows).toEqual([EXPECTED]);
    const inTransactions = await Promise.all(
      Array.from({ length: 10 }, () => postgres.transaction((tx) => tx.query(SETTINGS))),
    );
    for (const { rows } of inTransactions) expect(rows).toEqual([EXPECTED]);
    const other = createClient(pooler.url, { applicationName: 'other', timeouts: {} });
    await other.connect();
    const { rows } = await other.query(SETTINGS);
    await other.end();
    expect(rows[0]).toMatchObject({ statement: '0', lock: '0', idle: '0', scans: 'on', look: '0' });
  });

  it('named statements of many clients share few sessions of the server', async () => {
    const asked = Array.from({ length: 200 }, (_, n) =>
      postgres.query<{ sum: number }>({ name: `sum${n % 7}`, text: `SELECT $1::int + ${n % 7} AS sum` }, [n]),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ rows }) => rows[0]!.sum)).toEqual(asked.map((_, n) => n + (n % 7)));
    const { rows } = await postgres.query(
      'SELECT count(DISTINCT pid)::int AS sessions FROM pg_stat_activity WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ sessions: 2 }]);
    const prepared = await postgres.query('SELECT name FROM pg_prepared_statements');
    expect(prepared.rows).toEqual([]);
  });

  it('a statement that exceeds its timeout is ended by the server', async () => {
    await expect(postgres.query('SELECT pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
    await expect(postgres.transaction((tx) => tx.query('SELECT pg_sleep(10)'))).rejects.toMatchObject({
      code: '57014',
    });
  });

  it('a lock is not waited for longer than its timeout', async () => {
    const held = postgres.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(4711)');
      await expect(postgres.query('SELECT pg_advisory_xact_lock(4711)')).rejects.toMatchObject({
        code: '55P03',
      });
    });
    await held;
  });

  it('a transaction that is idle is ended, and its connection replaced', async () => {
    const idle = postgres.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const isThere = 'SELECT FROM pg_stat_activity WHERE pid = $1';
      await expect
        .poll(async () => (await postgres.query(isThere, [rows[0]!.pid])).rows.length, { timeout: 10_000 })
        .toBe(0);
      await tx.query('SELECT 1');
    });
    await expect(idle).rejects.toThrow();
    expect((await postgres.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('an error is its statement alone, and what it wrote is not there', async () => {
    await postgres.query('CREATE TABLE kept (n int PRIMARY KEY)');
    await postgres.query('INSERT INTO kept VALUES ($1)', [1]);
    await expect(postgres.query('INSERT INTO kept VALUES ($1), (1)', [2])).rejects.toMatchObject({
      code: '23505',
    });
    const failed = postgres.transaction(async (tx) => {
      await tx.query('INSERT INTO kept VALUES ($1)', [3]);
      throw new Error('given up');
    });
    await expect(failed).rejects.toThrow('given up');
    expect((await postgres.query('SELECT n FROM kept')).rows).toEqual([{ n: 1 }]);
  });

  it('Prisma works, in transactions too', async () => {
    const prisma = openPrisma(postgres);
    const client = await prisma.client();
    const found = await client.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<
        { scans: string }[]
      >`SELECT current_setting('enable_seqscan') AS scans`;
      return { row, templates: await tx.notificationTemplate.count() };
    });
    expect(found).toEqual({ row: { scans: 'off' }, templates: expect.any(Number) });
    await prisma.disconnect();
  });

  const servers = (databaseUrl: string, databaseDirectUrl?: string) =>
    checkServers(
      { databaseUrl, databaseDirectUrl, databaseReplicas: { urls: [], maxLagMs: 10_000 } },
      'worker',
    );

  it('starts with DATABASE_DIRECT_URL beside it, and not without', async () => {
    await servers(pooler.url, database.url);
    await servers(database.url);
    await expect(servers(pooler.url)).rejects.toThrow(
      /^DATABASE_URL leads to a pooler in transaction mode: set DATABASE_DIRECT_URL too, to the server itself$/,
    );
  });

  it('does not start where DATABASE_DIRECT_URL leads to the pooler too', async () => {
    const expected =
      'DATABASE_DIRECT_URL leads to a pooler in transaction mode: it must lead to the server itself, or to a pooler in session mode';
    await expect(servers(pooler.url, pooler.url)).rejects.toThrow(expected);
    await expect(assertSessions(pooler.url, 'DATABASE_DIRECT_URL')).rejects.toThrow(expected);
  });

  it('finds that out too where the pooler has one session of the server, or is busy', async () => {
    const narrow = await startPgbouncer(database.url, { poolSize: 1 });
    const busy = open(pooler.url, 10);
    let isOver = false;
    const load = Array.from({ length: 10 }, async () => {
      while (!isOver) await busy.query('SELECT 1');
    });
    try {
      await expect(servers(narrow.url)).rejects.toThrow(
        /^DATABASE_URL leads to a pooler in transaction mode/,
      );
      await expect(servers(pooler.url)).rejects.toThrow(
        /^DATABASE_URL leads to a pooler in transaction mode/,
      );
    } finally {
      isOver = true;
      await Promise.all(load);
      await busy.close();
      await narrow.stop();
    }
  });

  it('does not start behind a pooler in statement mode; one in session mode will do for either address', async () => {
    const [statement, session] = await Promise.all([
      startPgbouncer(database.url, { mode: 'statement' }),
      startPgbouncer(database.url, { mode: 'session' }),
    ]);
    try {
      await expect(servers(statement.url, database.url)).rejects.toThrow(
        /^DATABASE_URL leads to a pooler in statement mode: it must be in transaction mode \(pool_mode = transaction\)$/,
      );
      await expect(servers(pooler.url, statement.url)).rejects.toThrow(
        /^DATABASE_DIRECT_URL leads to a pooler in statement mode/,
      );
      await servers(session.url);
      await servers(pooler.url, session.url);
    } finally {
      await Promise.all([statement.stop(), session.stop()]);
    }
  });

  it('does not start where DATABASE_DIRECT_URL leads to another database, or nowhere', async () => {
    const other = await createTestDatabase();
    try {
      await expect(servers(pooler.url, other.url)).rejects.toThrow(
        /^DATABASE_DIRECT_URL leads to another database than DATABASE_URL$/,
      );
    } finally {
      await other.drop();
    }
    await expect(servers(pooler.url, 'postgres://postgres@127.0.0.1:1/none')).rejects.toThrow(
      /^DATABASE_DIRECT_URL cannot be used: .*ECONNREFUSED/,
    );
  });
});

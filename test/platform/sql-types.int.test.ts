import { globSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findStale } from '../../scripts/sql-types/generate.js';
import { statementsOf } from '../../scripts/sql-types/statement.js';
import { createClient } from '../../src/platform/postgres/clients.js';
import { openPostgres, runOn } from '../../src/platform/postgres/postgres.js';
import { faults, statements } from '../support/check-row-types.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { faultsOf, type TypedStatement, typedStatements } from '../support/row-types.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = createClient(database.url, { applicationName: 'test' });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

it('the types of rows are those that Postgres says (npm run sql:types)', async () => {
  expect([...(await findStale(database.url)).keys()]).toEqual([]);
});

it('every statement of a .sql file is used', () => {
  const code = globSync('src/**/*.ts', { exclude: (file) => file.endsWith('.sql.ts') })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const unused = globSync('src/**/*.sql').flatMap((file) =>
    statementsOf(readFileSync(file, 'utf8'))
      .filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(code))
      .map(({ name }) => `${file}: ${name}`),
  );
  expect(unused).toEqual([]);
});

describe('what comments say of columns, and Postgres does not know:', () => {
  /** By a parameter's type, two values that most statements take: with nothing in it, and with something. */
  const SAMPLES: Readonly<Record<string, readonly [string, string]>> = {
    jsonb: ['{}', '[]'],
    json: ['{}', '[]'],
    boolean: ['false', 'true'],
    uuid: ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'],
    bytea: ['', 'x'],
    date: ['2026-11-01', '2026-12-01'],
    interval: ['1 s', '1 day'],
    tid: ['(0,1)', '(0,2)'],
    'character varying': ['', 'x'],
    text: ['', 'x'],
    'timestamp with time zone': ['2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z'],
  };
  /** They need partitions, snapshots, tables or settings that no sample names: tests of their own run them. */
  const WITHOUT_SAMPLES = [
    'src/demo/load.sql, readUserIds',
    'src/demo/load.sql, trustReferences',
    'src/domains/notifications/delivery/sweep.sql, makeMonths',
    'src/domains/notifications/retention/event-days.sql, detach',
    'src/domains/notifications/retention/event-days.sql, findKept',
    'src/domains/notifications/retention/lone-partitions.sql, findNeeded',
    'src/domains/notifications/retention/request-months.sql, detach',
    'src/domains/notifications/retention/request-months.sql, findKept',
    'src/domains/notifications/retention/retention.sql, forgetRequests',
    'src/domains/notifications/segments/audience.sql, boundStatements',
    'src/platform/cache/missed-writes.sql, look',
    'src/platform/cache/missed-writes.sql, unapplied',
    'src/platform/event-log/archive/restore.sql, addLines',
    'src/platform/event-log/archive/restore.sql, attach',
    'src/platform/event-log/archive/restore.sql, drop',
    'src/platform/event-log/archive/write.sql, detach',
    'src/platform/event-log/archive/write.sql, drop',
    'src/platform/projector/session.sql, endWhenIdle',
  ];
  const sampleOf = (type: string, n: 0 | 1): string => {
    const items = /^(.*)\[\]$/.exec(type)?.[1];
    if (items === undefined) return SAMPLES[type]?.[n] ?? String(n);
    return n === 0 ? '{}' : `{${JSON.stringify(sampleOf(items, 0))}}`;
  };

  /** What is wrong with the rows that a statement returns, where it runs with these values. */
  async function run(
    { name, text, columns }: TypedStatement,
    n: 0 | 1,
  ): Promise<readonly string[] | undefined> {
    await client.query('BEGIN');
    try {
      await client.query(`PREPARE sampled AS ${text}`);
      const {
        rows: [prepared],
      } = await client.query<{ types: string[] }>(
        "SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = 'sampled'",
      );
      const values = prepared!.types.map((type) => `${pg.escapeLiteral(sampleOf(type, n))}::${type}`);
      const { rows } = await client.query(
        `EXECUTE sampled${values.length > 0 ? `(${values.join(', ')})` : ''}`,
      );
      return rows.flatMap((row) => faultsOf(row, columns).map((fault) => `${name}: ${fault}`));
    } catch {
      return undefined;
    } finally {
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
    }
  }

  it('is compared with each row that a test gets, by a pool, in a transaction and by a client', async () => {
    const text = 'SELECT NULL::int AS number';
    const columns = new Map([['number', 'number']]);
    const postgres = openPostgres(database.url, {
      max: 1,
      applicationName: 'test',
      onError: () => undefined,
    });
    const found: string[][] = [];
    for (const query of [
      () => postgres.query(text),
      () => postgres.transaction((tx) => tx.query(text)),
      () => runOn(client, text),
    ]) {
      statements.set(text, { name: 'a statement', text, columns });
      await query();
      found.push([...faults]);
      faults.clear();
    }
    statements.delete(text);
    await postgres.close();
    expect(found).toEqual([1, 2, 3].map(() => ['a statement: number is null, not number']));
  });

  it('holds where all tables are empty', async () => {
    const statements = typedStatements().filter(({ columns }) => columns.size > 0);
    const faults: string[] = [];
    const unknown: string[] = [];
    for (const statement of statements) {
      const found = [await run(statement, 0), await run(statement, 1)];
      if (found.every((one) => one === undefined)) unknown.push(statement.name);
      faults.push(...found.flatMap((one) => one ?? []));
    }
    expect(faults).toEqual([]);
    expect(unknown.sort()).toEqual(WITHOUT_SAMPLES);
  });
});

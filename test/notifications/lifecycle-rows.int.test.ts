import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 1, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

describe('a row of delivery_events', () => {
  const eventsOf = async (number: number, event: string, earlier: object[] | null) =>
    (
      await postgres.query('SELECT * FROM lifecycle_events_of($1, $2, $3, $4)', [
        number,
        event,
        JSON.stringify({ of: event }),
        earlier && JSON.stringify(earlier),
      ])
    ).rows;

  it('stands for its own event and for the earlier ones, each with its number and its detail', async () => {
    expect(await eventsOf(8, 'SENT', null)).toEqual([{ number: 8, event: 'SENT', detail: { of: 'SENT' } }]);
    const rendered = { event: 'RENDERED', detail: { version: 2 } };
    expect(await eventsOf(8, 'QUEUED', [{ event: 'VALIDATED' }, rendered])).toEqual([
      { number: 6, event: 'VALIDATED', detail: null },
      { number: 7, ...rendered },
      { number: 8, event: 'QUEUED', detail: { of: 'QUEUED' } },
    ]);
  });
});

describe('uuid_earliest', () => {
  it('is an hour before the time of a UUIDv7, and knows none of other ids', async () => {
    const made = Date.parse('2026-03-01T12:34:56.789Z');
    const id = v7({ msecs: made });
    const { rows } = await postgres.query(
      'SELECT uuid_earliest($1) AS earliest, uuid_earliest($2) = \'-infinity\' AS "isUnbounded"',
      [id, randomUUID()],
    );
    expect(rows).toEqual([{ earliest: new Date(made - 3_600_000), isUnbounded: true }]);
  });
});

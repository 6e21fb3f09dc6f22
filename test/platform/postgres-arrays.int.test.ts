import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient } from '../../src/platform/postgres/clients.js';
import { arrayParameter } from '../../src/platform/postgres/postgres-arrays.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = createClient(database.url, { applicationName: 'test' });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const odd = [
  '',
  ' ',
  'NULL',
  'null',
  '"',
  '\\',
  '\\"',
  '{}',
  'a,b',
  "it's",
  'ü 😀',
  '\n\t',
  '\\x41',
  '""\\\\',
];

it.each([
  ['text', [...odd, null, undefined]],
  ['jsonb', [...odd.map((text) => JSON.stringify({ [text]: [text] })), 'null', null]],
  ['bigint', [0, -1, Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n, null]],
  ['double precision', [0.1, -1e300, Number.NaN, Number.POSITIVE_INFINITY]],
  ['numeric', ['12345678901234567890.12', 7]],
  ['boolean', [true, false, null]],
  [
    'timestamptz',
    [new Date(0), new Date('2026-11-25T21:22:23.456Z'), new Date('0042-01-01T00:00:00Z'), null],
  ],
  ['timestamptz', [new Date(8.64e15), new Date('-000042-01-01T00:00:00Z')]],
  ['bytea', [Buffer.from('\0\\"'), Buffer.alloc(0)]],
  ['int[]', []],
])('an array of %s reaches the server as pg would have sent it', async (type, values) => {
  const parameter = arrayParameter(values);
  const ask = (array: unknown) =>
    client.query(`SELECT to_jsonb($1::${type.replace('[]', '')}[]) AS array`, [array]);
  // As it is, pg writes it by itself.
  expect((await ask(parameter)).rows).toEqual((await ask(values)).rows);
});

it('an array of arrays is left to pg', async () => {
  const nested = [
    [1, 2],
    [3, 4],
  ];
  expect(arrayParameter(nested)).toBe(nested);
});

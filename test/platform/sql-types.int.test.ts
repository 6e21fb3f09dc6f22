import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findStale } from '../../scripts/sql-types/generate.js';
import { statementsOf } from '../../scripts/sql-types/statement.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
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

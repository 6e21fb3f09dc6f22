import pg from 'pg';
import { afterAll, expect } from 'vitest';
import { faultsOf, type TypedStatement, typedStatements } from './row-types.js';

// A setup file of the tests with real servers: the rows that statements of src return have to be what their generated types say.
// Postgres knows it of columns of tables alone; of expressions, `-- not null:` and `-- type:` say it.

/** What is looked at, by text. */
export const statements = new Map<string, TypedStatement>(
  typedStatements().map((statement) => [statement.text, statement]),
);
/** What was found in this test file. */
export const faults = new Set<string>();

function look(text: string, result: Partial<pg.QueryResult> | undefined): void {
  const { name, columns } = statements.get(text)!;
  for (const row of result?.rows ?? [])
    for (const fault of faultsOf(row, columns)) faults.add(`${name}: ${fault}`);
}

type Query = (config: { text?: string } | undefined, ...others: unknown[]) => unknown;
const query: Query = pg.Client.prototype.query;

const looking: Query = function (this: pg.Client, config, ...others) {
  const text = config?.text;
  if (text === undefined || !statements.has(text)) return Reflect.apply(query, this, [config, ...others]);
  const callback = others.at(-1);
  if (typeof callback === 'function')
    others[others.length - 1] = (error: unknown, result?: pg.QueryResult) => {
      look(text, result);
      callback(error, result);
    };
  const answered = Reflect.apply(query, this, [config, ...others]);
  if (answered instanceof Promise)
    answered.then(
      (result: pg.QueryResult) => look(text, result),
      () => undefined,
    );
  return answered;
};
Object.assign(pg.Client.prototype, { query: looking });

afterAll(() => {
  expect([...faults], 'rows that are not of their generated types').toEqual([]);
});

import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';

/**
 * Postgres 18 (seen with 18.4) checks a row again that changed before it could be locked, and for that begins the statement's
 * subqueries anew. Scans of partitioned tables then choose partitions by expressions of that second beginning, and:
 * - once the lock has ended, those expressions are freed memory: a scan in another subquery that chooses its partitions while
 *   it runs can crash the server;
 * - a scan that chooses some partitions by parameters and some by values of rows finds nothing any more: rows are left out in
 *   silence.
 */
const keys = '(?:created_at|updated_at|global_position|at)';
const locks = /\bFOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)\b/;
const changes = /\b(?:UPDATE|DELETE FROM)\b/;

/** The innermost parentheses around a place, as [from, to); of none: all of it. */
function around(sql: string, place: number): [number, number] {
  let from = place;
  for (let depth = 0; from >= 0; from -= 1) {
    if (sql[from] === ')') depth += 1;
    else if (sql[from] === '(') depth -= 1;
    if (depth < 0) break;
  }
  let to = place;
  for (let depth = 0; to < sql.length; to += 1) {
    if (sql[to] === '(') depth += 1;
    else if (sql[to] === ')') depth -= 1;
    if (depth < 0) break;
  }
  return [from + 1, to];
}

/** Comparisons of a partition key with what only the running statement knows, where another subquery locks rows. */
function readsBesideLock(statement: string): string[] {
  return [...statement.matchAll(new RegExp(locks, 'g'))].flatMap(({ index }) => {
    const [from, to] = around(statement, index);
    const rest = statement.slice(0, from) + ' '.repeat(to - from) + statement.slice(to);
    return [...rest.matchAll(new RegExp(`\\b${keys} *(?:[<>]=?|=) *\\(SELECT[^\\n]*`, 'g'))]
      .filter((found) => around(rest, found.index)[0] > 0)
      .map(([text]) => text);
  });
}

/** Partition keys of one table that are compared both with a parameter and with another row's value. */
function comparedBothWays(statement: string): string[] {
  if (!locks.test(statement) && !changes.test(statement)) return [];
  const compared = (other: string) =>
    new Set(
      [...statement.matchAll(new RegExp(`\\b(\\w+\\.${keys}) *(?:[<>]=?|=) *(?:${other})`, 'g'))].map(
        ([, key = '']) => key,
      ),
    );
  const byRows = compared(`\\w+\\.${keys}\\b|uuids?_earliest\\(\\w+\\.|\\(SELECT`);
  return [...compared('\\$\\d+|\\w+_from\\b|before\\b|until\\b')].filter((key) => byRows.has(key));
}

async function statements(): Promise<[string, string][]> {
  const all: [string, string][] = [];
  for await (const file of glob(['prisma/functions/*.sql', 'src/**/*.sql'])) {
    const sql = readFileSync(file, 'utf8').replaceAll(/--[^\n]*/g, '');
    for (const statement of sql.split(';')) all.push([file, statement]);
  }
  return all;
}

describe('a statement that locks rows of a partitioned table, or locks rows and reads one', () => {
  it('chooses no partitions in another subquery while it runs', async () => {
    const found = (await statements()).map(([file, sql]) => [file, ...readsBesideLock(sql)]);
    expect(found.filter((one) => one.length > 1)).toEqual([]);
  });

  it('chooses them by parameters or by rows, and not by both', async () => {
    const found = (await statements()).map(([file, sql]) => [file, ...comparedBothWays(sql)]);
    expect(found.filter((one) => one.length > 1)).toEqual([]);
  });

  it('is found where it does', () => {
    const beside = `WITH l AS (SELECT id FROM h FOR UPDATE), c AS (SELECT FROM p WHERE p.created_at >= (SELECT min(at) FROM l))
      SELECT FROM c`;
    expect(readsBesideLock(beside)).toHaveLength(1);
    const both = 'UPDATE p SET v = 1 FROM i WHERE p.created_at = i.created_at AND p.created_at >= $1';
    expect(comparedBothWays(both)).toEqual(['p.created_at']);
  });
});

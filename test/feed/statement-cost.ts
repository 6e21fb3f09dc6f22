import type { Queryable } from '../../src/platform/postgres/postgres.js';

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

/** What a statement takes: 8 KB blocks of tables and indexes, and the rows that it reads of one table. */
export async function costOf(postgres: Queryable, statement: { text: string }, values: readonly unknown[]) {
  const { rows } = await postgres.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement.text}`,
    values as never,
  );
  const plan = rows[0]!['QUERY PLAN'][0].Plan;
  const rowsOf = (relation: string, step = plan): number => {
    const own = step['Relation Name'] === relation ? step['Actual Rows'] * step['Actual Loops'] : 0;
    return (step.Plans ?? []).reduce((sum, part) => sum + rowsOf(relation, part), own);
  };
  return { blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], rowsOf };
}

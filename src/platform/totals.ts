import type { Connection } from './paging.js';
import type { Queryable, Statement } from './postgres/postgres.js';

/** How many items all pages of a list have together. */
export interface Total {
  readonly count: number;
  /** Whether there are more than are counted one by one, and `count` is the planner's estimate of them. */
  readonly isEstimate: boolean;
}

/** A page of a list whose items are counted where somebody asks for the number, and else not. */
export type CountedConnection<Item> = Connection<Item> & { readonly total: () => Promise<Total> };

/** So many items are counted one by one; of more the planner says about how many there are. */
export const COUNTED_EXACTLY = 10_000;

/**
 * Counts what a statement finds: exactly up to a bound, so that no list costs more to count than that, and by the planner's
 * estimate beyond, which is never below the bound.
 *
 * @param statement a SELECT without ORDER BY and LIMIT; it has a name of its own
 */
export async function countUpTo(
  postgres: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<Total> {
  const { rows } = await postgres.query(
    {
      name: `${statement.name}.counted`,
      text: `SELECT count(*)::int AS count FROM (${statement.text}\nLIMIT ${COUNTED_EXACTLY + 1}) AS counted`,
    },
    values,
  );
  const { count } = rows[0]!;
  if (count <= COUNTED_EXACTLY) return exactly(count);
  return estimate(postgres, statement, values, COUNTED_EXACTLY);
}

/** A total that is known. */
export const exactly = (count: number): Total => ({ count, isEstimate: false });

/**
 * What the planner expects a statement to find, by the statistics that ANALYZE took. Nothing is run.
 *
 * @param atLeast what is known to be there
 */
export async function estimate(
  postgres: Queryable,
  statement: Statement,
  values: readonly unknown[],
  atLeast: number,
): Promise<Total> {
  // Unnamed: a plan that was kept would know nothing of the values.
  const { rows } = await postgres.query(`EXPLAIN (FORMAT JSON) ${statement.text}`, values);
  const expected = rows[0]!['QUERY PLAN'][0].Plan['Plan Rows'];
  return { count: Math.min(Math.max(atLeast, Math.round(expected)), MAX_INT), isEstimate: true };
}

/** GraphQL's Int. */
const MAX_INT = 2 ** 31 - 1;

import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { findTypes } from './attribute-store.js';
import { checkTypes } from './check-types.js';
import type { Position } from './filter.js';
import type { Narrowing } from './narrow.js';
import { printFilter } from './print.js';
import { FilterFault } from './read-literal.js';

/** A filter over users that was parsed and type-checked: which users it means can be asked of Postgres. */
export interface Segment {
  /** The canonical text: filters that differ only in spacing, case of keywords or needless parentheses have the same. */
  readonly filter: string;
  /** The condition in SQL over a row `u` of the audience; true or false, never NULL. Its parameters are `$first`, `$first+1`, … */
  conditionFrom(first: number): string;
  /** What the condition's parameters stand for, in order. */
  readonly values: readonly unknown[];
  /** Where an index finds the users among whom all are that match; else null. */
  readonly narrowing: Narrowing | null;
}

/**
 * Parses a filter and checks its names and types against the attributes that exist. `now()`, `lastSeenDays` and `createdDays` are as
 * of `clock`: a caller that checks one filter again and again (a campaign, at each page) passes a fixed clock.
 *
 * Refused with FILTER_INVALID, ATTRIBUTE_UNKNOWN or ATTRIBUTE_TYPE, whose messages say line and column: the first fault of the
 * grammar, or the first ten of names and types.
 *
 * @param path where the filter stands in the input
 */
export async function checkFilter(
  { postgres, clock }: { readonly postgres: Queryable; readonly clock: Pick<Clock, 'now'> },
  text: string,
  path: readonly string[],
): Promise<Result<Segment>> {
  const refusal = (code: string, message: string, { line, column }: Position): UserError => ({
    code,
    message: `line ${line}, column ${column}: ${message}`,
    path,
  });
  const { parseFilter, compileFilter, narrow } = await loadCompiler();
  const filter = parseFilter(text);
  if (filter instanceof FilterFault)
    return refusedAll([refusal('FILTER_INVALID', filter.message, filter.at)]);
  const attributes = await findTypes(postgres);
  const faults = checkTypes(filter, attributes);
  if (faults.length > 0) return refusedAll(faults.map(({ code, message, at }) => refusal(code, message, at)));
  const now = clock.now();
  const condition = compileFilter(filter, { attributes, now });
  return ok({
    filter: printFilter(filter),
    conditionFrom: condition.from,
    values: condition.values,
    narrowing: narrow(filter, now),
  });
}

/** The parser's library and the table of time zones are loaded when the first filter comes: a process is small while it starts. */
async function loadCompiler() {
  const [parse, compile, narrow] = await Promise.all([
    import('./parse.js'),
    import('./compile.js'),
    import('./narrow.js'),
  ]);
  return { ...parse, ...compile, ...narrow };
}

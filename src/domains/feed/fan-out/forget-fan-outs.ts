import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres.js';
import { sql } from './forget-fan-outs.sql.js';

const KEPT_MS = 86_400_000;
/** Rows of one statement, and statements of one run. */
const BATCH = 5_000;
const BATCHES = 20;

/**
 * Deletes finished fan-outs of posts of more than a day ago: 100,000 at most, the next run goes on.
 *
 * @returns how many
 */
export async function forgetFanOuts(
  deps: { readonly postgres: Queryable; readonly clock: Clock },
  batch = BATCH,
  batches = BATCHES,
): Promise<number> {
  const before = firstIdOf(deps.clock.now() - KEPT_MS);
  let forgotten = 0;
  for (let run = 0; run < batches; run++) {
    const { rowCount } = await deps.postgres.query(sql.forget, [before, batch]);
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) break;
  }
  return forgotten;
}

/** Below every UUIDv7 of this millisecond or later. */
const firstIdOf = (ms: number): string =>
  ms
    .toString(16)
    .padStart(12, '0')
    .padEnd(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import type pg from 'pg';
import type { CacheLease } from '../../platform/cache/cache-lease.js';
import { PublicError } from '../../platform/errors.js';
import type { Queryable, Statement } from '../../platform/postgres/postgres.js';
import { forEverybody } from '../../platform/wake-ups/reader.js';

/** Statements that wait; a page takes about eight. */
const MOST_WAITING = 2_000;

/**
 * How caches read Postgres. While no cache may be used, every read comes here: a number of statements runs at once, and
 * the pool's other connections are left to commands. One read fills the cache for others, so none is cancelled when its
 * reader leaves.
 *
 * @returns statements reject with PublicError SERVICE_UNAVAILABLE where too many wait
 */
export function coldReads(postgres: Queryable, lease: Pick<CacheLease, 'isHeld'>, atOnce: number): Queryable {
  const turns = bulkhead(atOnce, MOST_WAITING);
  return {
    query<Row extends pg.QueryResultRow>(statement: string | Statement<Row>, values?: readonly unknown[]) {
      const ask = () => forEverybody(() => postgres.query<Row>(statement, values));
      if (lease.isHeld()) return ask();
      return turns.execute(ask).catch((error: unknown) => {
        throw isBulkheadRejectedError(error)
          ? new PublicError('SERVICE_UNAVAILABLE', 'Too many reads wait for the database')
          : error;
      });
    },
  };
}

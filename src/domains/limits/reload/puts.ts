import { z } from 'zod';
import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import { type Postgres, type Queryable, type RowOf, runOn } from '../../../platform/postgres/postgres.js';
import { sql } from './puts.sql.js';

const cursors = cursorsOf('limit-puts', z.tuple([z.int().nonnegative().max(2_147_483_647)]));

/** A document that was put through the API. */
export type PutRules = RowOf<typeof sql.addPut>;

/**
 * The put with the highest sequence, which is the one that counts; null when nothing was ever put.
 *
 * @param known is not fetched again while it is the newest
 * @throws when Postgres gives no answer within `answerMs`
 */
export async function newestPut(
  deps: { readonly postgres: Pick<Postgres, 'pool'>; readonly answerMs: number },
  known: PutRules | null,
): Promise<PutRules | null> {
  const { postgres, answerMs } = deps;
  // A connection that has gone silent is dropped with the look, or every look would hold one more of the pool's.
  const asked = runOn(postgres.pool, sql.newestPut, [known?.sequence ?? 0], answerMs);
  return toPut((await withinMs(answerMs, asked)).rows[0], known);
}

/** The same where nobody else may put a document until the transaction ends. */
export async function lockNewestPut(tx: Queryable, known: PutRules | null): Promise<PutRules | null> {
  await tx.query(sql.lockPuts);
  return toPut((await tx.query(sql.newestPut, [known?.sequence ?? 0])).rows[0], known);
}

function toPut(row: RowOf<typeof sql.newestPut> | undefined, known: PutRules | null): PutRules | null {
  if (!row) return null;
  const document = row.document ?? known?.document;
  return document === undefined ? null : { ...row, document };
}

/** Keeps a document that was found good. Of two at once, the one with the higher sequence counts. */
export async function addPut(
  deps: { readonly postgres: Queryable; readonly clock: Clock },
  caller: Caller,
  put: { readonly version: string; readonly document: string },
): Promise<PutRules> {
  const { rows } = await deps.postgres.query(sql.addPut, [
    put.version,
    put.document,
    caller.viewer.userId,
    new Date(deps.clock.now()),
    caller.correlationId,
  ]);
  return rows[0]!;
}

/**
 * Whether a document of this version is in force on every process already, because it was put. False where the newest
 * put has lost to some process's source, be that process still there or not.
 */
export async function holdsEverywhere(postgres: Queryable, version: string): Promise<boolean> {
  const { rows } = await postgres.query(sql.holdsEverywhere, [version]);
  return rows[0]?.holds ?? false;
}

/**
 * Who put what, newest first.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function pageOfPuts(postgres: Queryable, page: PageRequest): Promise<Connection<PutRules>> {
  const [sequence] = cursors.read(page.cursor) ?? [null];
  const statement = page.direction === 'forward' ? sql.putsForward : sql.putsBackward;
  const { rows } = await postgres.query(statement, [sequence, page.limit + 1]);
  return toConnection(page, rows, (put) => cursors.write(put.sequence));
}

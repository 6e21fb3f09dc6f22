import type { Queryable, RowOf, Statement } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './state.sql.js';

/**
 * How far the rollups have come: in the lifecycle stream; until when minutes were counted from delivery_events; until when they were
 * counted so twice, and whole hours stand as hours too; and until when days (UTC) stand as days.
 */
export type RollupState = RowOf<typeof statements.state>;

export async function readState(postgres: Queryable): Promise<RollupState> {
  return (await postgres.query(statements.state)).rows[0]!;
}

/**
 * Takes the stream's part between two positions: nobody else counts it.
 *
 * @returns until when minutes are closed; null where somebody else took it
 */
export async function moveOn(tx: Queryable, from: string, to: string): Promise<Date | null> {
  const { rows } = await tx.query(statements.moveOn, [from, to]);
  return rows[0]?.closedUntil ?? null;
}

/** How a minute becomes final: it is closed first, and settled once nothing can be late any more. */
export type Ending = 'close' | 'settle';

/** Whether it is for us to end the minutes, or to add up the day, in [from, until); else somebody else has. */
export async function take(
  tx: Queryable,
  what: Ending | 'addUpDay',
  from: number,
  until: number,
): Promise<boolean> {
  const statement: Statement = statements[what];
  const { rows } = await tx.query(statement, [new Date(from), new Date(until)]);
  return rows.length > 0;
}

/** Where minutes were ended before they began, those from an instant on are counted anew. */
export async function reopenFuture(postgres: Queryable, now: number, from: number): Promise<void> {
  await postgres.query(statements.reopen, [new Date(now), new Date(from)]);
}

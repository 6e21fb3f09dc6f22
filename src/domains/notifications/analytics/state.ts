import type { Queryable } from '../../../platform/postgres.js';
import { sql as statements } from './state.sql.js';

/** How far the rollups have come. */
export interface RollupState {
  /** Of the lifecycle stream. */
  readonly streamPosition: string;
  /** Minutes before this were counted from delivery_events. */
  readonly closedUntil: Date;
  /** Minutes before this were counted so twice, and whole hours stand as hours too. */
  readonly settledUntil: Date;
  /** Days (UTC) before this stand as days. */
  readonly daysUntil: Date;
}

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

/** Whether it is for us to end the minutes in [from, until); else somebody else has. */
export async function endMinutes(
  tx: Queryable,
  ending: Ending,
  from: number,
  until: number,
): Promise<boolean> {
  const { rows } = await tx.query(statements[ending], [new Date(from), new Date(until)]);
  return rows.length > 0;
}

/** Where minutes were ended before they began, those from an instant on are counted anew. */
export async function reopenFuture(postgres: Queryable, now: number, from: number): Promise<void> {
  await postgres.query(statements.reopen, [new Date(now), new Date(from)]);
}

/** Whether it is for us to add up the day in [from, until). */
export async function takeDay(tx: Queryable, from: number, until: number): Promise<boolean> {
  const { rows } = await tx.query(statements.addUpDay, [new Date(from), new Date(until)]);
  return rows.length > 0;
}

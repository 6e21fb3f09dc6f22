import type { Queryable } from '../../../platform/postgres.js';
import type { CommandDeps } from '../command.js';

/** Drives a transfer to its end. Safe to be called again at any time. */
export async function advanceTransfer(_deps: CommandDeps, _transferId: string): Promise<void> {
  throw new Error('not written yet');
}
/** Ids of transfers that are not over, though they began more than 10 s ago. */
export async function findAbandonedTransfers(
  _postgres: Queryable,
  _limit: number,
): Promise<readonly string[]> {
  throw new Error('not written yet');
}

import { z } from 'zod';
import { defineOutboxKind } from '../../../platform/outbox/index.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { advanceTransferTask } from '../tasks.js';

const sql = loadStatements(new URL('./pending.sql', import.meta.url), ['turnsOf']);

/** Transfers that are not over. Added and completed by guards, beside the events that start and end them. */
export const transferOutbox = defineOutboxKind({
  name: 'commerce.transfer',
  payload: z.object({ transferId: z.string() }),
  keyOf: ({ transferId }) => transferId,
  async enqueue({ postgres, queues }, transfers) {
    const turns = await turnsOf(
      postgres,
      transfers.map(({ payload }) => payload.transferId),
    );
    await queues.enqueueMany(
      advanceTransferTask,
      transfers.flatMap(({ payload: { transferId }, correlationId }) => {
        const turn = turns.get(transferId);
        // What is not pending is over: in a rebuild most are.
        if (turn === undefined) return [];
        return [
          { payload: { transferId }, options: { correlationId, doorbell: transferId, priority: turn } },
        ];
      }),
    );
  },
});

/**
 * The turns of pending transfers among all of their owner's, from 1: sources take turns, and so do owners where the
 * first turns of all owners come before any second one. What is not pending is left out.
 */
async function turnsOf(
  postgres: Queryable,
  transferIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (transferIds.length === 0) return new Map();
  const { rows } = await postgres.query<{ transferId: string; turn: number }>(sql.turnsOf, [transferIds]);
  return new Map(rows.map(({ transferId, turn }) => [transferId, turn]));
}

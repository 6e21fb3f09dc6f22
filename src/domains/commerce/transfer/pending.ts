import { z } from 'zod';
import { defineOutboxKind } from '../../../platform/outbox/index.js';

import { advanceTransferTask } from '../tasks.js';
import { sql } from './pending.sql.js';

/**
 * Transfers that are not over. Added and completed by inline projections, beside the events that start and end them. A job's priority is
 * the transfer's turn among all that its owner had pending when it began: owners take turns, and so do sources of an owner.
 */
export const transferOutbox = defineOutboxKind({
  name: 'commerce.transfer',
  payload: {
    transferId: z.string(),
    // Of the SQL functions that add and count transfers, and of processes of the version before.
    fromAccountId: z.unknown().optional(),
    fromOwnerId: z.unknown().optional(),
    turn: z.unknown().optional(),
  },
  keyOf: ({ transferId }) => transferId,
  async enqueue({ postgres, queues }, transfers) {
    if (transfers.length === 0) return;
    const { rows } = await postgres.query(sql.turnsOf, [transfers.map(({ payload }) => payload.transferId)]);
    const turns = new Map(rows.map(({ transferId, turn }) => [transferId, turn]));
    await queues.enqueueMany(
      advanceTransferTask,
      transfers.flatMap(({ payload: { transferId }, correlationId, traceparent = null }) => {
        const priority = turns.get(transferId);
        // What is not pending is over: in a rebuild most are.
        if (priority === undefined) return [];
        return [
          {
            payload: { transferId },
            options: { correlationId, traceparent, deduplicationId: transferId, priority },
          },
        ];
      }),
    );
  },
});

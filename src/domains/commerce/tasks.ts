import { z } from 'zod';
import { defineTask, type Queues } from '../../platform/queues.js';

export const COMMERCE_QUEUE = 'commerce';
/** Of its own, so that users hear of their orders however many transfers wait. */
export const COMMERCE_MESSAGES_QUEUE = 'commerce.messages';

/** Drives a transfer to its end. */
export const advanceTransferTask = defineTask({
  name: 'advance-transfer',
  queue: COMMERCE_QUEUE,
  payload: z.object({ transferId: z.string() }),
});

/** Tells a user what became of an order or a payment: of an event, by its place in its stream. */
export const tellUserTask = defineTask({
  name: 'tell-user',
  queue: COMMERCE_MESSAGES_QUEUE,
  payload: z.object({ streamId: z.string(), streamPosition: z.int().nonnegative() }),
});

/** A transfer that should be driven on. */
export interface DueTransfer {
  readonly transferId: string;
  readonly correlationId: string;
  /** Its turn among its owner's transfers, see `turnsOf`. Earlier turns of all owners come first. */
  readonly turn: number;
}

/** Enqueues transfers, each under its own correlation id; a job that is lost is made up for by the sweeper. */
export const ringTransfers = (
  queues: Pick<Queues, 'enqueueMany'>,
  transfers: readonly DueTransfer[],
): Promise<void> =>
  queues.enqueueMany(
    advanceTransferTask,
    transfers.map(({ transferId, correlationId, turn }) => ({
      payload: { transferId },
      options: { correlationId, doorbell: transferId, priority: turn },
    })),
  );

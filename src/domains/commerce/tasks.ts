import { z } from 'zod';
import { defineTask, type Queues } from '../../platform/queues.js';

export const COMMERCE_QUEUE = 'commerce';

/** Drives a transfer to its end. */
export const advanceTransferTask = defineTask({
  name: 'advance-transfer',
  queue: COMMERCE_QUEUE,
  payload: z.object({ transferId: z.string() }),
});

/** Tells a user what became of an order or a payment: of an event, by its place in its stream. */
export const tellUserTask = defineTask({
  name: 'tell-user',
  queue: COMMERCE_QUEUE,
  payload: z.object({ streamId: z.string(), streamPosition: z.int().nonnegative() }),
});

/** Takes up transfers and messages that a killed worker, a failed or a lost job left. */
export const sweepCommerceTask = defineTask({
  name: 'sweep-commerce',
  queue: COMMERCE_QUEUE,
  payload: z.object({}),
});

/** Rings for transfers; a ring that is lost is made up for by the sweeper. */
export const ringTransfers = (
  queues: Pick<Queues, 'enqueueMany'>,
  transferIds: readonly string[],
  correlationId: string,
): Promise<void> =>
  queues.enqueueMany(
    advanceTransferTask,
    transferIds.map((transferId) => ({
      payload: { transferId },
      options: { correlationId, doorbell: transferId },
    })),
  );

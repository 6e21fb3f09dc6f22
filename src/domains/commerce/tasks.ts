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

/** Takes up transfers and messages that a killed worker, a failed or a lost job left. */
export const sweepCommerceTask = defineTask({
  name: 'sweep-commerce',
  queue: COMMERCE_QUEUE,
  payload: z.object({}),
});

/** Rings for transfers, each in its own story; a ring that is lost is made up for by the sweeper. */
export const ringTransfers = (
  queues: Pick<Queues, 'enqueueMany'>,
  transfers: readonly { readonly transferId: string; readonly correlationId: string }[],
): Promise<void> =>
  queues.enqueueMany(
    advanceTransferTask,
    transfers.map(({ transferId, correlationId }) => ({
      payload: { transferId },
      options: { correlationId, doorbell: transferId },
    })),
  );

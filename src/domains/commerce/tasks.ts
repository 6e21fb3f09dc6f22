import { z } from 'zod';
import { defineTask } from '../../platform/queues.js';

export const COMMERCE_QUEUE = 'commerce';

/** Drives a transfer to its end. */
export const advanceTransferTask = defineTask({
  name: 'advance-transfer',
  queue: COMMERCE_QUEUE,
  payload: z.object({ transferId: z.string() }),
});

/** Takes up transfers that a killed worker or a lost job left. */
export const sweepTransfersTask = defineTask({
  name: 'sweep-transfers',
  queue: COMMERCE_QUEUE,
  payload: z.object({}),
});

/** Tells a user what became of an order or a payment: of an event, by its place in its stream. */
export const tellUserTask = defineTask({
  name: 'tell-user',
  queue: COMMERCE_QUEUE,
  payload: z.object({ streamId: z.string(), streamPosition: z.int().nonnegative() }),
});

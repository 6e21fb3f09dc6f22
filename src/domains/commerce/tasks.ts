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

/** Tells a user what became of an order or a payment. */
export const tellUserTask = defineTask({
  name: 'tell-user',
  queue: COMMERCE_QUEUE,
  payload: z.object({
    /** Derived from the event: a repeat tells nobody twice. */
    notificationId: z.string(),
    userId: z.string(),
    /** A notification type, e.g. ORDER_SHIPPED. */
    type: z.string(),
    variables: z.record(z.string(), z.string()),
    /** The event that it tells of. */
    causationId: z.string(),
  }),
});

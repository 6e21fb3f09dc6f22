import { z } from 'zod';
import { defineOutboxKind } from '../../platform/outbox/index.js';
import { defineTask } from '../../platform/queues/queues.js';

export const COMMERCE_QUEUE = 'commerce';
/** Of its own, so that users hear of their orders however many transfers wait. */
export const COMMERCE_MESSAGES_QUEUE = 'commerce.messages';

/** Drives a transfer to its end. */
export const advanceTransferTask = defineTask({
  name: 'advance-transfer',
  queue: COMMERCE_QUEUE,
  payload: z.object({ transferId: z.string() }),
});

const place = { streamId: z.string(), streamPosition: z.int().nonnegative() };

/** Notifies a user of what became of an order or a payment: of an event, by its place in its stream. */
export const notifyUserTask = defineTask({
  name: 'tell-user',
  queue: COMMERCE_MESSAGES_QUEUE,
  payload: z.object(place),
});

const placeOf = ({ streamId, streamPosition }: z.infer<typeof notifyUserTask.payload>): string =>
  `${streamId}@${streamPosition}`;

/** Events of which a user has still to be notified. */
export const messageOutbox = defineOutboxKind({
  name: 'commerce.message',
  payload: place,
  keyOf: placeOf,
  enqueue: ({ queues }, messages) =>
    queues.enqueueMany(
      notifyUserTask,
      messages.map(({ payload, correlationId, traceparent = null }) => ({
        payload,
        options: { correlationId, traceparent, deduplicationId: placeOf(payload) },
      })),
    ),
});
